import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.functions.CoGroupFunction;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.metrics.groups.AbstractMetricGroup;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.core.JsonGenerator;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectWriter;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.flink.streaming.api.datastream.AllWindowedStream;
import org.apache.flink.streaming.api.datastream.CoGroupedStreams;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.datastream.WindowedStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.functions.windowing.ProcessAllWindowFunction;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.functions.windowing.delta.DeltaFunction;
import org.apache.flink.streaming.api.windowing.assigners.DynamicEventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.DynamicProcessingTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.assigners.ProcessingTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingProcessingTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingProcessingTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.evictors.CountEvictor;
import org.apache.flink.streaming.api.windowing.evictors.DeltaEvictor;
import org.apache.flink.streaming.api.windowing.evictors.Evictor;
import org.apache.flink.streaming.api.windowing.evictors.TimeEvictor;
import org.apache.flink.streaming.api.windowing.triggers.ContinuousEventTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.ContinuousProcessingTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.CountTrigger;
import org.apache.flink.streaming.api.windowing.triggers.DeltaTrigger;
import org.apache.flink.streaming.api.windowing.triggers.EventTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.ProcessingTimeTrigger;
import org.apache.flink.streaming.api.windowing.triggers.ProcessingTimeoutTrigger;
import org.apache.flink.streaming.api.windowing.triggers.PurgingTrigger;
import org.apache.flink.streaming.api.windowing.triggers.Trigger;
import org.apache.flink.streaming.api.windowing.triggers.TriggerResult;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.api.windowing.windows.Window;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Runs window configurations as Flink jobs in BATCH runtime mode and writes down what they emit.
 *
 * <p>Arguments: INPUT.jsonl OUTPUT_DIR. Every line of the input is a case (fields: ../batch_cases/README.md); the case
 * {@code topic/name} goes, with its {@code expected}, to OUTPUT_DIR/topic.jsonl. An {@code expected} that the input has
 * already is ignored. Each case runs twice: once as a user would write it, and once with its trigger wrapped to see
 * which timer fires; the rows of both must agree. Joins run through {@code coGroup} as well, with the same check. A
 * third run, in STREAMING mode, tells whether batch mode makes a difference ({@code as_streaming}).
 */
public class BatchCases {
  /** one row of the input; side 0 is the left one of a join */
  public static final class Element {
    public String key;
    public long ts;
    public double value;
    public long gap;
    public int side;

    public Element() {}

    Element(JsonNode step) {
      key = step.get("e").get(0).asText();
      ts = step.get("e").get(1).asLong();
      value = step.get("e").get(2).asDouble();
      gap = step.path("g").asLong(-1);
      side = step.path("side").asInt(0);
    }
  }

  static final TypeInformation<Element> TYPE = Types.POJO(Element.class);
  static final TypeInformation<double[]> DOUBLES = TypeInformation.of(double[].class);
  static final OutputTag<Element> LATE = new OutputTag<>("late", TYPE);
  static final long DAY = 86_400_000;
  static final String DROPPED_METRIC = "numLateRecordsDropped";
  static final ObjectMapper JSON = new ObjectMapper();

  // Jobs run in this process, one at a time with parallelism 1, so that they can leave their results here.
  static final List<String> MAIN = Collections.synchronizedList(new ArrayList<>());
  static final List<Element> LATE_ROWS = Collections.synchronizedList(new ArrayList<>());
  static int port;
  static volatile long dropped;
  static volatile String firedBy;
  static volatile Long firedAt;
  /** whether timers of the clock run at times that the case gives; else their times are the machine's, and not kept */
  static boolean clockIsDriven;

  public static void main(String[] args) throws Exception {
    Map<String, List<ObjectNode>> topics = new LinkedHashMap<>();
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      ObjectNode test = (ObjectNode) JSON.readTree(line);
      String topic = test.get("name").asText().split("/")[0];
      topics.computeIfAbsent(topic, t -> new ArrayList<>()).add(test);
    }
    try (MiniCluster cluster = smallCluster()) {
      cluster.start();
      port = cluster.getRestAddress().get().getPort();
      for (String topic : topics.keySet()) write(Path.of(args[1], topic + ".jsonl"), topics.get(topic));
    }
  }

  static MiniCluster smallCluster() {
    return new MiniCluster(
        new MiniClusterConfiguration.Builder()
            .setNumTaskManagers(1)
            .setNumSlotsPerTaskManager(4)
            .withRandomPorts()
            .build());
  }

  static void write(Path file, List<ObjectNode> tests) throws Exception {
    ObjectWriter writer = JSON.writer(new Separators());
    List<String> lines = new ArrayList<>();
    for (ObjectNode test : tests) {
      System.err.println(test.get("name").asText());
      test.set("expected", expected(test));
      lines.add(writer.writeValueAsString(test));
    }
    Files.write(file, lines);
  }

  /** runs one case; what the job emits must not depend on how it is observed */
  static ObjectNode expected(JsonNode test) throws Exception {
    ObjectNode plain = run(test, false);
    ObjectNode traced = run(test, true);
    check(test, withoutTrace(plain), withoutTrace(traced), "wrapping the trigger");
    if (test.has("join") && traced.get("error").isNull()) {
      check(test, sides(coGroup(test)), sides(traced), "using coGroup");
    }
    if (definedInStreaming(test) && traced.get("error").isNull()) {
      traced.put("as_streaming", rowSet(streaming(test)).equals(rowSet(traced)));
    } else {
      traced.putNull("as_streaming");
    }
    return traced;
  }

  static void check(JsonNode test, Object one, Object other, String what) {
    if (!one.equals(other)) {
      throw new IllegalStateException(test.get("name") + ": " + what + " changed the rows:\n" + one + "\n" + other);
    }
  }

  static ObjectNode withoutTrace(ObjectNode result) {
    ObjectNode copy = result.deepCopy();
    copy.get("main").forEach(row -> ((ObjectNode) row).remove(List.of("fired_by", "timer")));
    return copy;
  }

  static List<String> sides(ObjectNode result) {
    List<String> lists = new ArrayList<>();
    result.get("main").forEach(row -> lists.add(row.get("left") + " " + row.get("right")));
    return lists;
  }

  static ObjectNode run(JsonNode test, boolean traced) throws Exception {
    return execute(test, env -> build(source(env, test), test, traced), RuntimeExecutionMode.BATCH);
  }

  /** the rows in any order */
  static List<String> rowSet(ObjectNode result) {
    List<String> rows = new ArrayList<>();
    result.get("main").forEach(row -> rows.add(row.toString()));
    Collections.sort(rows);
    return rows;
  }

  /** whether the job ends in STREAMING mode, with rows that do not depend on when a timer of the clock runs */
  static boolean definedInStreaming(JsonNode test) {
    boolean eventTime = test.get("assigner").path("time").asText().equals("event");
    JsonNode trigger = test.get("trigger");
    boolean ends = eventTime || !trigger.toString().contains("\"continuous_event_time\"");
    return ends && !clockTimerIsDue(trigger, eventTime);
  }

  /** on event-time windows the trigger's timers of the clock lie at the end of the window, long ago */
  static boolean clockTimerIsDue(JsonNode trigger, boolean eventTimeWindows) {
    switch (trigger.path("type").asText()) {
      case "processing_time":
        return eventTimeWindows;
      case "continuous_processing_time":
        return eventTimeWindows || trigger.get("interval").asLong() < DAY;
      case "processing_timeout":
        return trigger.get("timeout").asLong() < DAY || clockTimerIsDue(trigger.get("inner"), eventTimeWindows);
      case "purging":
        return clockTimerIsDue(trigger.get("inner"), eventTimeWindows);
      default:
        return false;
    }
  }

  /** the same rows in time order through a STREAMING job whose only watermark is the last one */
  static ObjectNode streaming(JsonNode test) throws Exception {
    return execute(
        test, env -> build(sortedSource(env, test), test, true), RuntimeExecutionMode.STREAMING);
  }

  /** the same join through Flink's own {@code coGroup} */
  static ObjectNode coGroup(JsonNode test) throws Exception {
    return execute(test, env -> buildCoGroup(source(env, test), test), RuntimeExecutionMode.BATCH);
  }

  static ObjectNode execute(JsonNode test, Consumer<StreamExecutionEnvironment> job, RuntimeExecutionMode mode)
      throws Exception {
    reset();
    Throwable failure = null;
    boolean built = false;
    try (StreamExecutionEnvironment env = StreamExecutionEnvironment.createRemoteEnvironment("localhost", port)) {
      env.setParallelism(1);
      env.setRuntimeMode(mode);
      job.accept(env);
      built = true;
      env.execute();
    } catch (Exception e) {
      failure = rootCause(e);
    }
    return result(test, failure, built);
  }

  static ObjectNode result(JsonNode test, Throwable failure, boolean built) throws IOException {
    ObjectNode result = JSON.createObjectNode();
    ArrayNode main = result.putArray("main");
    for (String row : MAIN) main.add(JSON.readTree(row));
    if (test.path("clock_bounds").asBoolean()) {
      main.forEach(row -> ((ObjectNode) row).putNull("timer").putNull("start").putNull("end"));
    }
    ArrayNode late = result.putArray("late");
    LATE_ROWS.forEach(e -> late.addObject().put("key", e.key).put("ts", e.ts).put("value", e.value));
    result.put("dropped", dropped);
    result.put("error", failure == null ? null : String.valueOf(failure.getMessage()));
    if (failure != null) {
      result.put("error_type", failure.getClass().getSimpleName());
      if (!built) result.put("error_step", -1);
    }
    return result;
  }

  static void reset() {
    MAIN.clear();
    LATE_ROWS.clear();
    dropped = 0;
    firedBy = null;
    firedAt = null;
  }

  static Throwable rootCause(Throwable e) {
    return e.getCause() == null ? e : rootCause(e.getCause());
  }

  // ------------------------------------------------------------------------------------------------- the job

  static List<Element> elements(JsonNode test) {
    List<Element> rows = new ArrayList<>();
    for (JsonNode step : test.get("steps")) {
      if (!step.has("e")) throw new IllegalArgumentException("only element steps");
      rows.add(new Element(step));
    }
    return rows;
  }

  /** a record without timestamp has none in the whole case: then nothing assigns them */
  static boolean timestamped(JsonNode test) {
    long without = 0;
    for (JsonNode step : test.get("steps")) if (step.get("e").get(1).isNull()) without++;
    if (without > 0 && without < test.get("steps").size()) {
      throw new IllegalArgumentException("timestamps: all or none");
    }
    return without == 0;
  }

  static DataStream<Element> source(StreamExecutionEnvironment env, JsonNode test) {
    DataStream<Element> source = env.fromData(elements(test), TYPE);
    return timestamped(test) ? withTimestamps(source, WatermarkStrategy.forMonotonousTimestamps()) : source;
  }

  static DataStream<Element> sortedSource(StreamExecutionEnvironment env, JsonNode test) {
    List<Element> rows = elements(test);
    rows.sort(Comparator.comparingLong(e -> e.ts));
    DataStream<Element> source = env.fromData(rows, TYPE);
    return timestamped(test) ? withTimestamps(source, WatermarkStrategy.noWatermarks()) : source;
  }

  static DataStream<Element> withTimestamps(DataStream<Element> rows, WatermarkStrategy<Element> strategy) {
    return rows.assignTimestampsAndWatermarks(strategy.withTimestampAssigner((e, ts) -> e.ts));
  }

  static void build(DataStream<Element> source, JsonNode test, boolean traced) {
    SingleOutputStreamOperator<String> out =
        test.path("via").asText().equals("windowAll")
            ? windowAll(source, test, traced)
            : keyed(source.keyBy(e -> e.key), test, traced);
    keep(out, new KeepRows());
    if (test.path("late_output").asBoolean()) keep(out.getSideOutput(LATE), new KeepLate());
  }

  static <T> void keep(DataStream<T> rows, MapFunction<T, Boolean> list) {
    rows.map(list).returns(Types.BOOLEAN).sinkTo(new DiscardingSink<>());
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  static SingleOutputStreamOperator<String> keyed(
      KeyedStream<Element, String> in, JsonNode test, boolean traced) {
    WindowedStream w;
    if (test.path("via").asText().equals("countWindow")) {
      JsonNode n = test.get("count_window");
      w = n.size() == 1 ? in.countWindow(n.get(0).asLong()) : in.countWindow(n.get(0).asLong(), n.get(1).asLong());
    } else {
      WindowAssigner assigner = assigner(test.get("assigner"));
      w = in.window(assigner);
      Trigger trigger = chosenTrigger(test, assigner, traced);
      if (trigger != null) w = w.trigger(trigger);
      if (!test.path("evictor").isNull()) w = w.evictor(evictor(test.get("evictor")));
    }
    if (test.path("allowed_lateness").asLong() != 0) {
      w = w.allowedLateness(Duration.ofMillis(test.get("allowed_lateness").asLong()));
    }
    if (test.path("late_output").asBoolean()) w = w.sideOutputLateData(LATE);
    if (test.has("join")) return w.process(new Sides(), Types.STRING);
    if (test.get("function").asText().equals("list")) return w.process(new Values(), Types.STRING);
    return w.aggregate(new Sum(), new Sums(), DOUBLES, DOUBLES, Types.STRING);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  static SingleOutputStreamOperator<String> windowAll(
      DataStream<Element> in, JsonNode test, boolean traced) {
    WindowAssigner assigner = assigner(test.get("assigner"));
    AllWindowedStream w = in.windowAll(assigner);
    Trigger trigger = chosenTrigger(test, assigner, traced);
    if (trigger != null) w = w.trigger(trigger);
    if (!test.path("evictor").isNull()) w = w.evictor(evictor(test.get("evictor")));
    if (test.path("allowed_lateness").asLong() != 0) {
      w = w.allowedLateness(Duration.ofMillis(test.get("allowed_lateness").asLong()));
    }
    if (test.path("late_output").asBoolean()) w = w.sideOutputLateData(LATE);
    if (test.get("function").asText().equals("list")) return w.process(new AllValues(), Types.STRING);
    return w.aggregate(new Sum(), new AllSums(), DOUBLES, DOUBLES, Types.STRING);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  static void buildCoGroup(DataStream<Element> source, JsonNode test) {
    DataStream<Element> left = source.filter(e -> e.side == 0);
    DataStream<Element> right = source.filter(e -> e.side == 1);
    WindowAssigner assigner = assigner(test.get("assigner"));
    CoGroupedStreams.WithWindow w =
        left.coGroup(right).where(e -> e.key).equalTo(e -> e.key).window(assigner);
    if (!test.path("trigger").isNull()) w = w.trigger(trigger(test.get("trigger")));
    if (!test.path("evictor").isNull()) w = w.evictor(evictor(test.get("evictor")));
    keep(w.apply(new Lists(), Types.STRING), new KeepRows());
  }

  // -------------------------------------------------------------------- assigners, triggers, evictors from JSON

  static Duration ms(JsonNode node, String field) {
    return Duration.ofMillis(node.path(field).asLong(0));
  }

  @SuppressWarnings("rawtypes")
  static WindowAssigner assigner(JsonNode a) {
    boolean event = a.path("time").asText().equals("event");
    switch (a.get("type").asText()) {
      case "tumbling":
        return event
            ? TumblingEventTimeWindows.of(ms(a, "size"), ms(a, "offset"))
            : TumblingProcessingTimeWindows.of(ms(a, "size"), ms(a, "offset"));
      case "sliding":
        return event
            ? SlidingEventTimeWindows.of(ms(a, "size"), ms(a, "slide"), ms(a, "offset"))
            : SlidingProcessingTimeWindows.of(ms(a, "size"), ms(a, "slide"), ms(a, "offset"));
      case "session":
        return event
            ? EventTimeSessionWindows.withGap(ms(a, "gap"))
            : ProcessingTimeSessionWindows.withGap(ms(a, "gap"));
      case "dynamic_session":
        return event
            ? DynamicEventTimeSessionWindows.withDynamicGap((Element e) -> e.gap)
            : DynamicProcessingTimeSessionWindows.withDynamicGap((Element e) -> e.gap);
      case "global":
        return a.path("end_of_stream").asBoolean()
            ? GlobalWindows.createWithEndOfStreamTrigger()
            : GlobalWindows.create();
      default:
        throw new IllegalArgumentException("assigner " + a);
    }
  }

  /** the trigger to set, or null for the assigner's own */
  @SuppressWarnings({"unchecked", "rawtypes"})
  static Trigger chosenTrigger(JsonNode test, WindowAssigner assigner, boolean traced) {
    boolean own = test.path("trigger").isNull();
    if (!traced) return own ? null : trigger(test.get("trigger"));
    return new Traced(own ? assigner.getDefaultTrigger() : trigger(test.get("trigger")));
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  static Trigger trigger(JsonNode t) {
    switch (t.get("type").asText()) {
      case "event_time":
        return EventTimeTrigger.create();
      case "processing_time":
        return ProcessingTimeTrigger.create();
      case "continuous_event_time":
        return ContinuousEventTimeTrigger.of(ms(t, "interval"));
      case "continuous_processing_time":
        return ContinuousProcessingTimeTrigger.of(ms(t, "interval"));
      case "count":
        return CountTrigger.of(t.get("n").asLong());
      case "delta":
        return DeltaTrigger.of(
            t.get("threshold").asDouble(), deltaFunction(t), TYPE.createSerializer(new SerializerConfigImpl()));
      case "never":
        return new GlobalWindows.NeverTrigger();
      case "end_of_stream":
        return new GlobalWindows.EndOfStreamTrigger();
      case "purging":
        return PurgingTrigger.of(trigger(t.get("inner")));
      case "processing_timeout":
        return ProcessingTimeoutTrigger.of(
            trigger(t.get("inner")),
            ms(t, "timeout"),
            t.get("reset_on_record").asBoolean(),
            t.get("clear_on_timeout").asBoolean());
      default:
        throw new IllegalArgumentException("trigger " + t);
    }
  }

  @SuppressWarnings("rawtypes")
  static Evictor evictor(JsonNode e) {
    boolean after = e.path("after").asBoolean();
    switch (e.get("type").asText()) {
      case "count":
        return CountEvictor.of(e.get("n").asLong(), after);
      case "time":
        return TimeEvictor.of(ms(e, "window"), after);
      case "delta":
        return DeltaEvictor.of(e.get("threshold").asDouble(), deltaFunction(e), after);
      default:
        throw new IllegalArgumentException("evictor " + e);
    }
  }

  static DeltaFunction<Element> deltaFunction(JsonNode node) {
    return node.path("delta_fn").asText().equals("diff")
        ? (a, b) -> b.value - a.value
        : (a, b) -> Math.abs(b.value - a.value);
  }

  /** forwards everything to a trigger and notes which call fired */
  static final class Traced<T, W extends Window> extends Trigger<T, W> {
    final Trigger<T, W> inner;

    Traced(Trigger<T, W> inner) {
      this.inner = inner;
    }

    @Override
    public TriggerResult onElement(T element, long timestamp, W window, TriggerContext ctx) throws Exception {
      fire("element", null);
      return inner.onElement(element, timestamp, window, ctx);
    }

    @Override
    public TriggerResult onEventTime(long time, W window, TriggerContext ctx) throws Exception {
      fire("event", time);
      return inner.onEventTime(time, window, ctx);
    }

    @Override
    public TriggerResult onProcessingTime(long time, W window, TriggerContext ctx) throws Exception {
      fire("processing", clockIsDriven ? time : null);
      return inner.onProcessingTime(time, window, ctx);
    }

    @Override
    public boolean canMerge() {
      return inner.canMerge();
    }

    @Override
    public void onMerge(W window, OnMergeContext ctx) throws Exception {
      inner.onMerge(window, ctx);
    }

    @Override
    public void clear(W window, TriggerContext ctx) throws Exception {
      inner.clear(window, ctx);
    }

  }

  /** notes which call fires next */
  static void fire(String by, Long at) {
    firedBy = by;
    firedAt = at;
  }

  // -------------------------------------------------------------------------------------- functions of the window

  static ObjectNode row(String key, Window window) {
    ObjectNode row = JSON.createObjectNode();
    row.put("fired_by", firedBy == null ? "element" : firedBy);
    row.put("timer", firedAt);
    row.put("key", key);
    row.put("start", window instanceof TimeWindow ? ((TimeWindow) window).getStart() : null);
    row.put("end", window instanceof TimeWindow ? ((TimeWindow) window).getEnd() : null);
    return row;
  }

  static void values(ObjectNode row, String field, Iterable<Element> in, int side) {
    ArrayNode list = row.putArray(field);
    for (Element e : in) if (side < 0 || e.side == side) list.add(e.value);
  }

  static void sums(ObjectNode row, double[] a) {
    ArrayNode out = row.putArray("out").add((long) a[0]).add(a[1]);
    if (a[0] == 0) out.addNull().addNull();
    else out.add(a[2]).add(a[3]);
  }

  /** the operator's own count of late records; its metric group is the one the function sees */
  static void readDropped(RuntimeContext context) throws ReflectiveOperationException {
    Field metrics = AbstractMetricGroup.class.getDeclaredField("metrics");
    metrics.setAccessible(true);
    Object group = context.getMetricGroup();
    dropped = ((Counter) ((Map<?, ?>) metrics.get(group)).get(DROPPED_METRIC)).getCount();
  }

  static final class Values
      extends ProcessWindowFunction<Element, String, String, Window> {
    @Override
    public void process(
        String key, Context c, Iterable<Element> in, Collector<String> out) {
      ObjectNode row = row(key, c.window());
      values(row, "out", in, -1);
      out.collect(row.toString());
    }

    @Override
    public void close() throws Exception {
      readDropped(getRuntimeContext());
    }
  }

  static final class Sides
      extends ProcessWindowFunction<Element, String, String, Window> {
    @Override
    public void process(
        String key, Context c, Iterable<Element> in, Collector<String> out) {
      ObjectNode row = row(key, c.window());
      values(row, "left", in, 0);
      values(row, "right", in, 1);
      out.collect(row.toString());
    }

    @Override
    public void close() throws Exception {
      readDropped(getRuntimeContext());
    }
  }

  static final class Sums extends ProcessWindowFunction<double[], String, String, Window> {
    @Override
    public void process(String key, Context c, Iterable<double[]> in, Collector<String> out) {
      ObjectNode row = row(key, c.window());
      sums(row, in.iterator().next());
      out.collect(row.toString());
    }

    @Override
    public void close() throws Exception {
      readDropped(getRuntimeContext());
    }
  }

  static final class AllValues
      extends ProcessAllWindowFunction<Element, String, Window> {
    @Override
    public void process(Context c, Iterable<Element> in, Collector<String> out) {
      ObjectNode row = row("all", c.window());
      values(row, "out", in, -1);
      out.collect(row.toString());
    }

    @Override
    public void close() throws Exception {
      readDropped(getRuntimeContext());
    }
  }

  static final class AllSums extends ProcessAllWindowFunction<double[], String, Window> {
    @Override
    public void process(Context c, Iterable<double[]> in, Collector<String> out) {
      ObjectNode row = row("all", c.window());
      sums(row, in.iterator().next());
      out.collect(row.toString());
    }

    @Override
    public void close() throws Exception {
      readDropped(getRuntimeContext());
    }
  }

  static final class Lists implements CoGroupFunction<Element, Element, String> {
    @Override
    public void coGroup(
        Iterable<Element> left,
        Iterable<Element> right,
        Collector<String> out) {
      ObjectNode row = JSON.createObjectNode();
      values(row, "left", left, -1);
      values(row, "right", right, -1);
      out.collect(row.toString());
    }
  }

  static final class KeepRows implements MapFunction<String, Boolean> {
    @Override
    public Boolean map(String row) {
      return MAIN.add(row);
    }
  }

  static final class KeepLate implements MapFunction<Element, Boolean> {
    @Override
    public Boolean map(Element late) {
      return LATE_ROWS.add(late);
    }
  }

  /** [count, sum, min, max] */
  static final class Sum implements AggregateFunction<Element, double[], double[]> {
    @Override
    public double[] createAccumulator() {
      return new double[] {0, 0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
    }

    @Override
    public double[] add(Element e, double[] a) {
      return merge(a, new double[] {1, e.value, e.value, e.value});
    }

    @Override
    public double[] getResult(double[] a) {
      return a;
    }

    @Override
    public double[] merge(double[] a, double[] b) {
      return new double[] {a[0] + b[0], a[1] + b[1], Math.min(a[2], b[2]), Math.max(a[3], b[3])};
    }
  }

  /** JSON with a space after ":" and "," */
  static final class Separators extends MinimalPrettyPrinter {
    @Override
    public void writeObjectFieldValueSeparator(JsonGenerator g) throws IOException {
      g.writeRaw(": ");
    }

    @Override
    public void writeObjectEntrySeparator(JsonGenerator g) throws IOException {
      g.writeRaw(", ");
    }

    @Override
    public void writeArrayValueSeparator(JsonGenerator g) throws IOException {
      g.writeRaw(", ");
    }
  }
}
