import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Locale;
import java.util.stream.LongStream;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.accumulators.DoubleCounter;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.functions.source.legacy.RichParallelSourceFunction;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.functions.windowing.delta.DeltaFunction;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.evictors.CountEvictor;
import org.apache.flink.streaming.api.windowing.evictors.DeltaEvictor;
import org.apache.flink.streaming.api.windowing.evictors.TimeEvictor;
import org.apache.flink.streaming.api.windowing.triggers.ContinuousEventTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.CountTrigger;
import org.apache.flink.streaming.api.windowing.triggers.DeltaTrigger;
import org.apache.flink.streaming.api.windowing.triggers.PurgingTrigger;
import org.apache.flink.streaming.api.windowing.windows.GlobalWindow;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.api.windowing.windows.Window;
import org.apache.flink.util.Collector;

/**
 * The peer: Flink's DataStream windows over a generated stream, on this machine.
 *
 * <p>Event i: key k = ((i * 2654435761) >> 11) mod KEYS, event time ts = 1700000000000 + i * PACE / 10 - jitter(i) ms with
 * jitter(i) = ((i * 40503) >> 5) mod 2000, value v = i mod 97, side = i mod 2. Watermark = max ts so far - 5000 - 1.
 * Every result row is (key, sum(v), count). Prints rows/s, result rows and their checksums as one line of JSON.
 *
 * <p>{@code speed} measures what each line of its input asks for, WORKLOAD ROWS KEYS: pace 1, two sources, a watermark
 * every 2000 rows of each.
 *
 * <p>{@code check ROWS KEYS PACE BLOCK WORKLOAD...} runs each workload twice with a single source, so that the rows of a
 * key come in one order: as a stream, with a watermark after every BLOCK rows, and sorted by event time with a watermark
 * at the end only, as bounded input is (continuous: in Flink's batch mode). It adds a checksum over whole result rows.
 */
public class FlinkBench {
  static final long BASE = 1_700_000_000_000L;

  /** The rows and their order. */
  record Input(long rows, int keys, long pace, int block, boolean sorted, int parallelism) implements java.io.Serializable {
    long ts(long i) {
      return BASE + i * pace / 10 - ((i * 40503L) >> 5) % 2000;
    }

    Tuple4<Integer, Long, Double, Integer> row(long i) {
      return Tuple4.of((int) (((i * 2654435761L) >> 11) % keys), ts(i), (double) (i % 97), (int) (i % 2));
    }
  }

  /** key, ts, v, side */
  static final class Source extends RichParallelSourceFunction<Tuple4<Integer, Long, Double, Integer>> {
    final Input input;

    Source(Input input) {
      this.input = input;
    }

    @Override
    public void run(SourceContext<Tuple4<Integer, Long, Double, Integer>> out) {
      if (input.sorted) {
        LongStream.range(0, input.rows).boxed().sorted(Comparator.comparingLong(input::ts)) // stable
            .forEach(i -> out.collectWithTimestamp(input.row(i), input.ts(i)));
        return;
      }
      int step = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
      int first = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
      long max = Long.MIN_VALUE;
      long n = 0;
      for (long i = first; i < input.rows; i += step) {
        long ts = input.ts(i);
        max = Math.max(max, ts);
        out.collectWithTimestamp(input.row(i), ts);
        if (++n % input.block == 0) out.emitWatermark(new Watermark(max - 5001));
      }
    }

    @Override
    public void cancel() {}
  }

  static final class SumCount
      implements AggregateFunction<Tuple4<Integer, Long, Double, Integer>, double[], Tuple2<Double, Double>> {
    public double[] createAccumulator() {
      return new double[2];
    }

    public double[] add(Tuple4<Integer, Long, Double, Integer> v, double[] a) {
      a[0] += v.f2;
      a[1] += 1;
      return a;
    }

    public Tuple2<Double, Double> getResult(double[] a) {
      return Tuple2.of(a[0], a[1]);
    }

    public double[] merge(double[] a, double[] b) {
      a[0] += b[0];
      a[1] += b[1];
      return a;
    }
  }

  static final class Emit<W extends Window>
      extends ProcessWindowFunction<Tuple2<Double, Double>, Tuple4<Integer, Long, Double, Double>, Integer, W> {
    @Override
    public void process(
        Integer key, Context c, Iterable<Tuple2<Double, Double>> in, Collector<Tuple4<Integer, Long, Double, Double>> out) {
      Tuple2<Double, Double> r = in.iterator().next();
      out.collect(Tuple4.of(key, c.window().maxTimestamp(), r.f0, r.f1));
    }
  }

  /** inner join: every pair of a window adds one result row (key, left v + right v, 1) */
  static final class Pairs<W extends Window>
      extends ProcessWindowFunction<Tuple4<Integer, Long, Double, Integer>, Tuple4<Integer, Long, Double, Double>, Integer, W> {
    @Override
    public void process(
        Integer key,
        Context c,
        Iterable<Tuple4<Integer, Long, Double, Integer>> in,
        Collector<Tuple4<Integer, Long, Double, Double>> out) {
      java.util.List<Double> left = new java.util.ArrayList<>(), right = new java.util.ArrayList<>();
      for (Tuple4<Integer, Long, Double, Integer> e : in) (e.f3 == 0 ? left : right).add(e.f2);
      for (double l : left) for (double r : right) out.collect(Tuple4.of(key, c.window().maxTimestamp(), l + r, 1.0));
    }
  }

  static final class Checksum extends RichFlatMapFunction<Tuple4<Integer, Long, Double, Double>, Long> {
    final boolean whole;
    final LongCounter results = new LongCounter();
    final DoubleCounter sum = new DoubleCounter();
    final DoubleCounter count = new DoubleCounter();
    final LongCounter rows = new LongCounter();

    Checksum(boolean whole) {
      this.whole = whole;
    }

    @Override
    public void open(OpenContext c) {
      getRuntimeContext().addAccumulator("results", results);
      getRuntimeContext().addAccumulator("sum", sum);
      getRuntimeContext().addAccumulator("count", count);
      getRuntimeContext().addAccumulator("rows", rows);
    }

    @Override
    public void flatMap(Tuple4<Integer, Long, Double, Double> r, Collector<Long> out) {
      results.add(1);
      sum.add(r.f2);
      count.add(r.f3);
      if (whole) rows.add(ofRow(r.f0, r.f1, r.f2.longValue(), r.f3.longValue()));
    }

    /** A number that depends on key, end of the window (0 of a global one), sum and count together. */
    static long ofRow(long key, long maxTimestamp, long sum, long count) {
      long end = maxTimestamp == Long.MAX_VALUE ? 0 : maxTimestamp + 1;
      return ((key + 1) * (sum + 1) * (count + 3) + end % 1000003 * 7919) % 1000003;
    }
  }

  static final DeltaFunction<Tuple4<Integer, Long, Double, Integer>> DELTA = (a, b) -> Math.abs(b.f2 - a.f2);

  static DataStream<Tuple4<Integer, Long, Double, Double>> workload(
      String name,
      KeyedStream<Tuple4<Integer, Long, Double, Integer>, Integer> in,
      TypeInformation<Tuple4<Integer, Long, Double, Integer>> type) {
    Duration s1 = Duration.ofSeconds(1), s5 = Duration.ofSeconds(5), s10 = Duration.ofSeconds(10), s60 = Duration.ofSeconds(60);
    switch (name) {
      case "tumbling":
        return in.window(TumblingEventTimeWindows.of(s10)).aggregate(new SumCount(), new Emit<TimeWindow>());
      case "sliding":
        return in.window(SlidingEventTimeWindows.of(s10, s1)).aggregate(new SumCount(), new Emit<TimeWindow>());
      case "sliding60":
        return in.window(SlidingEventTimeWindows.of(s60, s1)).aggregate(new SumCount(), new Emit<TimeWindow>());
      case "session":
        return in.window(EventTimeSessionWindows.withGap(Duration.ofMillis(800))).aggregate(new SumCount(), new Emit<TimeWindow>());
      case "count":
        return in.window(GlobalWindows.create()).trigger(PurgingTrigger.of(CountTrigger.of(10)))
            .aggregate(new SumCount(), new Emit<GlobalWindow>());
      case "sliding_count":
        return in.window(GlobalWindows.create()).trigger(CountTrigger.of(1)).evictor(CountEvictor.of(100))
            .aggregate(new SumCount(), new Emit<GlobalWindow>());
      case "time_evictor":
        return in.window(TumblingEventTimeWindows.of(s60)).trigger(CountTrigger.of(10)).evictor(TimeEvictor.of(s10))
            .aggregate(new SumCount(), new Emit<TimeWindow>());
      case "continuous":
        return in.window(TumblingEventTimeWindows.of(s60)).trigger(ContinuousEventTimeTrigger.of(s5))
            .aggregate(new SumCount(), new Emit<TimeWindow>());
      case "delta":
        return in.window(GlobalWindows.create()).trigger(DeltaTrigger.of(50.0, DELTA, type.createSerializer(new org.apache.flink.api.common.serialization.SerializerConfigImpl())))
            .evictor(DeltaEvictor.of(50.0, DELTA)).aggregate(new SumCount(), new Emit<GlobalWindow>());
      case "lateness":
        return in.window(TumblingEventTimeWindows.of(s1)).allowedLateness(s10).aggregate(new SumCount(), new Emit<TimeWindow>());
      case "join":
        return in.window(TumblingEventTimeWindows.of(s10)).process(new Pairs<TimeWindow>());
      default:
        throw new IllegalArgumentException("unknown workload " + name);
    }
  }

  static JobExecutionResult run(String name, Input input) throws Exception {
    Configuration conf = new Configuration();
    conf.set(PipelineOptions.OBJECT_REUSE, name.equals("tumbling") || name.equals("sliding") || name.equals("count"));
    StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(2, conf);
    TypeInformation<Tuple4<Integer, Long, Double, Integer>> type = Types.TUPLE(Types.INT, Types.LONG, Types.DOUBLE, Types.INT);
    // batch mode ignores timers that a firing registers; only this trigger has such, so the others need no batch mode
    boolean batch = input.sorted && name.equals("continuous");
    var rows = batch ? bounded(env, input, type)
        : env.addSource(new Source(input)).setParallelism(input.parallelism).returns(type);
    var in = rows.keyBy(e -> e.f0);
    boolean check = input.parallelism == 1;
    workload(name, in, type).flatMap(new Checksum(check)).returns(Types.LONG).sinkTo(new DiscardingSink<>());
    return env.execute();
  }

  static DataStream<Tuple4<Integer, Long, Double, Integer>> bounded(
      StreamExecutionEnvironment env, Input input, TypeInformation<Tuple4<Integer, Long, Double, Integer>> type) {
    env.setRuntimeMode(RuntimeExecutionMode.BATCH);
    WatermarkStrategy<Tuple4<Integer, Long, Double, Integer>> byTime = WatermarkStrategy.forMonotonousTimestamps();
    return env.fromSequence(0, input.rows - 1).map(input::row).returns(type)
        .assignTimestampsAndWatermarks(byTime.withTimestampAssigner((e, before) -> e.f1));
  }

  /** one run for every line that comes in; before a workload's first one a quarter of the rows warms the JVM up */
  static void speed() throws Exception {
    var lines = new BufferedReader(new InputStreamReader(System.in));
    var warm = new HashSet<String>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ");
      long rows = Long.parseLong(words[1]);
      int keys = Integer.parseInt(words[2]);
      if (warm.add(words[0])) run(words[0], new Input(rows / 4, keys, 1, 2000, false, 2));
      timed(words[0], rows, keys);
    }
  }

  static void timed(String name, long rows, int keys) throws Exception {
    var done = run(name, new Input(rows, keys, 1, 2000, false, 2));
    double seconds = done.getNetRuntime() / 1000.0;
    System.out.printf(
        Locale.ROOT,
        "{\"engine\":\"flink\",\"workload\":\"%s\",\"rows\":%d,\"keys\":%d,\"seconds\":%.3f,\"rows_per_s\":%.0f,%s}%n",
        name, rows, keys, seconds, rows / seconds, checksums(done));
  }

  static void check(String name, long rows, int keys, long pace, int block) throws Exception {
    for (boolean sorted : new boolean[] {false, true}) {
      var done = run(name, new Input(rows, keys, pace, block, sorted, 1));
      System.out.printf(
          "{\"engine\":\"flink\",\"workload\":\"%s\",\"sorted\":%b,%s,\"rows_checksum\":%d}%n",
          name, sorted, checksums(done), (Long) done.getAccumulatorResult("rows"));
    }
  }

  static String checksums(JobExecutionResult done) {
    return String.format(
        Locale.ROOT, "\"results\":%d,\"sum\":%.0f,\"count\":%.0f", (Long) done.getAccumulatorResult("results"),
        (Double) done.getAccumulatorResult("sum"), (Double) done.getAccumulatorResult("count"));
  }

  public static void main(String[] a) throws Exception {
    if (a[0].equals("speed")) {
      speed();
      return;
    }
    for (String name : Arrays.copyOfRange(a, 5, a.length))
      check(name, Long.parseLong(a[1]), Integer.parseInt(a[2]), Long.parseLong(a[3]), Integer.parseInt(a[4]));
  }
}
