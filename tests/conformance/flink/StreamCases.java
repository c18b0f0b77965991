import java.io.PrintWriter;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectWriter;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamUtils;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.clock.Clock;

/**
 * Runs window configurations as Flink jobs in STREAMING mode, step by step, and writes down what they emit.
 *
 * <p>Arguments: INPUT.jsonl OUTPUT.jsonl. Fields: ../cases/README.md. The whole job is one chain, so that a step has had
 * all its effects when the next one begins: an operator before the window operator turns steps into records and
 * watermarks, and sets the clock that the window operator is given instead of the machine's.
 */
public final class StreamCases {
  static final long NO_TIMESTAMP = Long.MIN_VALUE;
  static final List<String> LATE = Collections.synchronizedList(new ArrayList<>());
  static final StepClock CLOCK = new StepClock();
  static volatile int step;
  static int port;

  public static void main(String[] args) throws Exception {
    ObjectWriter writer = BatchCases.JSON.writer(new BatchCases.Separators());
    BatchCases.clockIsDriven = true;
    try (MiniCluster cluster = BatchCases.smallCluster();
        PrintWriter out = new PrintWriter(args[1], StandardCharsets.UTF_8)) {
      cluster.start();
      port = cluster.getRestAddress().get().getPort();
      for (String line : Files.readAllLines(Path.of(args[0]))) {
        ObjectNode test = (ObjectNode) BatchCases.JSON.readTree(line);
        ObjectNode plain = run(test, false);
        ObjectNode traced = run(test, true);
        BatchCases.check(test, withoutTimer(plain), withoutTimer(traced), "wrapping the trigger");
        test.set("expected", traced);
        out.println(writer.writeValueAsString(test));
        out.flush();
      }
    }
  }

  static ObjectNode withoutTimer(ObjectNode result) {
    ObjectNode copy = result.deepCopy();
    copy.get("main").forEach(row -> ((ObjectNode) row).remove("timer"));
    return copy;
  }

  static ObjectNode run(JsonNode test, boolean traced) throws Exception {
    BatchCases.reset();
    LATE.clear();
    CLOCK.reset();
    step = -1;
    Throwable failure = null;
    boolean built = false;
    try (StreamExecutionEnvironment env = StreamExecutionEnvironment.createRemoteEnvironment("localhost", port)) {
      env.setParallelism(1);
      env.setRuntimeMode(RuntimeExecutionMode.STREAMING);
      build(env, test, traced);
      built = true;
      env.execute();
    } catch (Exception e) {
      failure = BatchCases.rootCause(e);
    }
    return result(failure, built);
  }

  static ObjectNode result(Throwable failure, boolean built) throws Exception {
    ObjectNode result = BatchCases.JSON.createObjectNode();
    ArrayNode main = result.putArray("main");
    for (String row : BatchCases.MAIN) main.add(BatchCases.JSON.readTree(row));
    ArrayNode late = result.putArray("late");
    for (String row : LATE) late.add(BatchCases.JSON.readTree(row));
    result.put("dropped", BatchCases.dropped);
    result.put("error", failure == null ? null : String.valueOf(failure.getMessage()));
    if (failure != null) {
      result.put("error_type", failure.getClass().getSimpleName());
      result.put("error_step", built ? step : -1);
    }
    return result;
  }

  // ------------------------------------------------------------------------------------------------- the job

  static void build(StreamExecutionEnvironment env, JsonNode test, boolean traced) throws Exception {
    List<String> steps = new ArrayList<>();
    test.get("steps").forEach(one -> steps.add(one.toString()));
    boolean inclusive = test.path("pt_inclusive").asBoolean(true);
    DataStream<BatchCases.Element> rows =
        env.fromData(steps, Types.STRING)
            .transform("steps", BatchCases.TYPE, new Steps(steps.size(), test.get("finish").asBoolean(), inclusive));
    SingleOutputStreamOperator<String> out =
        BatchCases.keyed(DataStreamUtils.reinterpretAsKeyedStream(rows, e -> e.key), test, traced);
    giveClock((OneInputTransformation<?, ?>) out.getTransformation());
    BatchCases.keep(out, new KeepRows());
    if (test.path("late_output").asBoolean()) BatchCases.keep(out.getSideOutput(BatchCases.LATE), new KeepLate());
  }

  static void giveClock(OneInputTransformation<?, ?> window) throws ReflectiveOperationException {
    Field factory = OneInputTransformation.class.getDeclaredField("operatorFactory");
    factory.setAccessible(true);
    factory.set(window, new Clocked(window.getOperatorFactory()));
  }

  /** the window operator's factory, which gives it the clock of the steps */
  @SuppressWarnings({"unchecked", "rawtypes"})
  static final class Clocked extends AbstractStreamOperatorFactory implements OneInputStreamOperatorFactory {
    final StreamOperatorFactory inner;

    Clocked(StreamOperatorFactory inner) {
      this.inner = inner;
    }

    @Override
    public StreamOperator createStreamOperator(StreamOperatorParameters parameters) {
      StreamOperator operator = inner.createStreamOperator(parameters);
      try {
        Field clock = AbstractStreamOperator.class.getDeclaredField("processingTimeService");
        clock.setAccessible(true);
        clock.set(operator, CLOCK);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
      return operator;
    }

    @Override
    public Class getStreamOperatorClass(ClassLoader loader) {
      return inner.getStreamOperatorClass(loader);
    }
  }

  /** turns steps into records and watermarks; the end of the input is a watermark too, if the case finishes */
  static final class Steps extends AbstractStreamOperator<BatchCases.Element>
      implements OneInputStreamOperator<String, BatchCases.Element> {
    final int size;
    final boolean finish;
    final boolean inclusive;
    long watermark = Long.MIN_VALUE;

    Steps(int size, boolean finish, boolean inclusive) {
      this.size = size;
      this.finish = finish;
      this.inclusive = inclusive;
    }

    @Override
    public void processElement(StreamRecord<String> record) throws Exception {
      step++;
      JsonNode one = BatchCases.JSON.readTree(record.getValue());
      if (one.has("wm")) {
        advance(new Watermark(one.get("wm").asLong()));
      } else if (one.has("pt")) {
        CLOCK.advance(one.get("pt").asLong(), inclusive);
      } else {
        emit(new BatchCases.Element(one), one.get("e").get(1).isNull());
      }
    }

    private void emit(BatchCases.Element element, boolean timeless) {
      BatchCases.fire("element", null);
      if (timeless) element.ts = NO_TIMESTAMP;
      output.collect(timeless ? new StreamRecord<>(element) : new StreamRecord<>(element, element.ts));
    }

    @Override
    public void processWatermark(Watermark mark) {
      if (!mark.equals(Watermark.MAX_WATERMARK) || !finish) return;
      step = size;
      advance(mark);
    }

    /** as where a task reads from another: the operators of a chain would take one that is not greater too */
    private void advance(Watermark mark) {
      if (mark.getTimestamp() <= watermark) return;
      watermark = mark.getTimestamp();
      output.emitWatermark(mark);
    }
  }

  /** runs timers when a step says so: those up to its time, or with the rule of live jobs those before it */
  static final class StepClock implements ProcessingTimeService {
    private record Timer(long time, long number, ProcessingTimeCallback callback) {}

    private final PriorityQueue<Timer> timers =
        new PriorityQueue<>(Comparator.comparingLong(Timer::time).thenComparingLong(Timer::number));
    private long now;
    private long registered;

    void reset() {
      timers.clear();
      now = 0;
    }

    void advance(long time, boolean inclusive) throws Exception {
      now = time;
      while (!timers.isEmpty() && (inclusive ? timers.peek().time <= time : timers.peek().time < time)) {
        Timer due = timers.poll();
        due.callback.onProcessingTime(due.time);
      }
    }

    @Override
    public long getCurrentProcessingTime() {
      return now;
    }

    @Override
    public ScheduledFuture<?> registerTimer(long time, ProcessingTimeCallback callback) {
      Timer timer = new Timer(time, registered++, callback);
      timers.add(timer);
      return new Registered(() -> timers.remove(timer));
    }

    @Override
    public Clock getClock() {
      throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(ProcessingTimeCallback callback, long delay, long period) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(ProcessingTimeCallback callback, long delay, long period) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> quiesce() {
      return CompletableFuture.completedFuture(null);
    }
  }

  /** what a registered timer gives: the window operator cancels it where an earlier one comes */
  static final class Registered extends FutureTask<Void> implements ScheduledFuture<Void> {
    private final Runnable remove;

    Registered(Runnable remove) {
      super(() -> null);
      this.remove = remove;
    }

    @Override
    public boolean cancel(boolean interrupt) {
      remove.run();
      return super.cancel(interrupt);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return 0;
    }

    @Override
    public int compareTo(Delayed other) {
      return 0;
    }
  }

  static final class KeepRows implements MapFunction<String, Boolean> {
    @Override
    public Boolean map(String row) throws Exception {
      ObjectNode numbered = BatchCases.JSON.createObjectNode().put("step", step);
      numbered.setAll((ObjectNode) BatchCases.JSON.readTree(row));
      numbered.remove("fired_by");
      return BatchCases.MAIN.add(numbered.toString());
    }
  }

  static final class KeepLate implements MapFunction<BatchCases.Element, Boolean> {
    @Override
    public Boolean map(BatchCases.Element late) {
      ObjectNode row = BatchCases.JSON.createObjectNode().put("step", step).put("key", late.key);
      row.put("ts", late.ts == NO_TIMESTAMP ? null : Long.valueOf(late.ts));
      return LATE.add(row.put("value", late.value).toString());
    }
  }
}
