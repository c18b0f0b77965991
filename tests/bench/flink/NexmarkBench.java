import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.functions.source.legacy.RichParallelSourceFunction;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.Collector;

/**
 * Nexmark in Flink SQL, over the events that {@code nexmark_events.py} computes: the same numbers give the same rows.
 *
 * <p>For each line of the input, NAME EVENTS FOLDER SQL, one JSON line; FOLDER is for checkpoints, one every second. A
 * quarter of the events warms the JVM up before the first one of a name.
 */
public class NexmarkBench {
  static final long BASE = 1_700_000_000_000L;
  static final long FIRST = 1000;
  static final String[] NAMES = {
    "Peter", "Paul", "Luke", "John", "Saul", "Vicky", "Kate", "Julie", "Sarah", "Deiter", "Walter"
  };

  /** xxHash64 of eight bytes, as Spark's xxhash64 has it. */
  static long hash(long number, int salt) {
    long input = number * 8 + salt;
    long h = 42 + 0x27D4EB2F165667C5L + 8;
    h ^= Long.rotateLeft(input * 0xC2B2AE3D27D4EB4FL, 31) * 0x9E3779B185EBCA87L;
    h = Long.rotateLeft(h, 27) * 0x9E3779B185EBCA87L + 0x85EBCA77C2B2AE63L;
    h ^= h >>> 33;
    h *= 0xC2B2AE3D27D4EB4FL;
    h ^= h >>> 29;
    h *= 0x165667B19E3779F9L;
    return h ^ (h >>> 32);
  }

  static long below(long number, int salt, long bound) {
    return Math.floorMod(hash(number, salt), bound);
  }

  static long anyPerson(long n, int salt) {
    long persons = n / 50 + 1, active = Math.min(persons, 1000);
    return FIRST + persons - active + below(n, salt, active + 10);
  }

  static TimestampData time(long n) {
    return TimestampData.fromEpochMillis(BASE + n / 10);
  }

  static RowData person(long n) {
    StringData name = StringData.fromString(NAMES[(int) below(n, 0, NAMES.length)] + " " + n / 50);
    return GenericRowData.of(FIRST + n / 50, name, time(n));
  }

  static RowData auction(long n) {
    long hot = FIRST + n / 50 / 100 * 100;
    long seller = below(n, 0, 4) > 0 ? hot : anyPerson(n, 1);
    return GenericRowData.of(FIRST + n / 50 * 3 + n % 50 - 1, seller, time(n));
  }

  static RowData bid(long n) {
    long last = n / 50 * 3 + 2, oldest = Math.max(last - 100, 0);
    long auction = FIRST + (below(n, 0, 2) > 0 ? last / 100 * 100 : oldest + below(n, 1, last - oldest + 11));
    long bidder = below(n, 2, 4) > 0 ? FIRST + n / 50 / 100 * 100 + 1 : anyPerson(n, 3);
    double power = below(n, 4, 1L << 53) / (double) (1L << 53) * 6;
    long price = (long) Math.floor(StrictMath.pow(10, power) * 100 + 0.5);
    return GenericRowData.of(auction, bidder, price, time(n));
  }

  /** One kind of events: a serializable function of their number, and which numbers are of that kind. */
  enum Kind {
    PERSON,
    AUCTION,
    BID;

    RowData row(long n) {
      long place = n % 50;
      if (place == 0) return this == PERSON ? person(n) : null;
      if (place <= 3) return this == AUCTION ? auction(n) : null;
      return this == BID ? bid(n) : null;
    }

    DataType type() {
      DataType big = DataTypes.BIGINT(), time = DataTypes.TIMESTAMP_LTZ(3);
      switch (this) {
        case PERSON:
          return DataTypes.ROW(
              DataTypes.FIELD("id", big), DataTypes.FIELD("name", DataTypes.STRING()), DataTypes.FIELD("dateTime", time));
        case AUCTION:
          return DataTypes.ROW(
              DataTypes.FIELD("id", big), DataTypes.FIELD("seller", big), DataTypes.FIELD("dateTime", time));
        default:
          return DataTypes.ROW(
              DataTypes.FIELD("auction", big),
              DataTypes.FIELD("bidder", big),
              DataTypes.FIELD("price", big),
              DataTypes.FIELD("dateTime", time));
      }
    }
  }

  static final class Source extends RichParallelSourceFunction<RowData> {
    final Kind kind;
    final long events;

    Source(Kind kind, long events) {
      this.kind = kind;
      this.events = events;
    }

    @Override
    public void run(SourceContext<RowData> out) {
      int step = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
      long emitted = 0;
      for (long n = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask(); n < events; n += step) {
        RowData row = kind.row(n);
        if (row != null) {
          synchronized (out.getCheckpointLock()) {
            out.collectWithTimestamp(row, BASE + n / 10);
          }
        }
        if (++emitted % 2000 == 0) out.emitWatermark(new Watermark(BASE + n / 10 - 4001));
      }
    }

    @Override
    public void cancel() {}
  }

  static final class Checksum extends RichFlatMapFunction<Row, Long> {
    final LongCounter results = new LongCounter();
    final LongCounter sum = new LongCounter();

    @Override
    public void open(OpenContext context) {
      getRuntimeContext().addAccumulator("results", results);
      getRuntimeContext().addAccumulator("sum", sum);
    }

    @Override
    public void flatMap(Row row, Collector<Long> out) {
      int sign = row.getKind() == RowKind.INSERT || row.getKind() == RowKind.UPDATE_AFTER ? 1 : -1;
      long value = 0;
      for (int i = 0; i < row.getArity(); i++) value = (value * 31 + number(row.getField(i))) % 1000003;
      results.add(sign);
      sum.add(sign * value);
    }

    /** Numbers as they are, times as milliseconds, texts by their length. */
    static long number(Object field) {
      if (field instanceof LocalDateTime) {
        return ((LocalDateTime) field).toInstant(ZoneOffset.UTC).toEpochMilli() % 1000003;
      }
      return field instanceof java.time.Instant ? ((java.time.Instant) field).toEpochMilli() % 1000003
          : field instanceof String ? ((String) field).length() : ((Number) field).longValue() % 1000003;
    }
  }

  static JobExecutionResult run(long events, String folder, String sql) throws Exception {
    Configuration conf = new Configuration();
    conf.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, "file://" + folder);
    conf.setString("pipeline.object-reuse", "true");
    StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(2, conf);
    env.enableCheckpointing(1000);
    StreamTableEnvironment tables = StreamTableEnvironment.create(env);
    tables.getConfig().setLocalTimeZone(ZoneOffset.UTC);
    for (Kind kind : Kind.values()) {
      var rows = env.addSource(new Source(kind, events)).returns(InternalTypeInfo.of((RowType) kind.type().getLogicalType()));
      Schema.Builder schema = Schema.newBuilder().fromRowDataType(kind.type());
      if (kind == Kind.BID) schema.columnByExpression("clock", "PROCTIME()");
      tables.createTemporaryView(
          kind.name().toLowerCase(Locale.ROOT), rows, schema.watermark("dateTime", "SOURCE_WATERMARK()").build());
    }
    tables.toChangelogStream(tables.sqlQuery(sql)).flatMap(new Checksum()).returns(Types.LONG).sinkTo(new DiscardingSink<>());
    return env.execute();
  }

  public static void main(String[] arguments) throws Exception {
    var lines = new BufferedReader(new InputStreamReader(System.in));
    var warm = new java.util.HashSet<String>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ", 4);
      long events = Long.parseLong(words[1]);
      if (warm.add(words[0])) run(events / 4, words[2], words[3]);
      JobExecutionResult done = run(events, words[2], words[3]);
      double seconds = done.getNetRuntime() / 1000.0;
      long results = done.getAccumulatorResult("results"), sum = done.getAccumulatorResult("sum");
      System.out.printf(
          Locale.ROOT,
          "{\"query\":\"%s\",\"events\":%d,\"seconds\":%.3f,\"results\":%d,\"sum\":%d}%n",
          words[0], events, seconds, results, sum);
    }
  }
}
