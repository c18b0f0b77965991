import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.CloseableIterator;

/**
 * Runs statements in Flink SQL, in streaming mode, and writes down their rows.
 *
 * <p>Arguments: TABLES.sql STATEMENTS.jsonl OUTPUT.jsonl [ZONE]. A line of the output has the title, the statement and its rows as
 * lists of text, or the error. Watermarks come at the end of the input only, so that no row is late.
 */
public final class SqlRows {
  private static final ObjectMapper JSON = new ObjectMapper();

  public static void main(String[] args) throws Exception {
    TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.inStreamingMode());
    tables.getConfig().set("parallelism.default", "1");
    tables.getConfig().set("table.local-time-zone", args.length > 3 ? args[3] : "UTC");
    tables.getConfig().set("pipeline.auto-watermark-interval", "36500 d");
    for (String definition : Files.readString(Path.of(args[0])).split(";\n")) tables.executeSql(definition);
    try (PrintWriter out = new PrintWriter(args[2], StandardCharsets.UTF_8)) {
      for (String line : Files.readAllLines(Path.of(args[1]))) {
        ObjectNode statement = (ObjectNode) JSON.readTree(line);
        run(tables, statement);
        out.println(statement);
        out.flush();
      }
    }
  }

  private static void run(TableEnvironment tables, ObjectNode statement) throws Exception {
    Map<String, Integer> counts = new LinkedHashMap<>();
    try (CloseableIterator<Row> rows = tables.executeSql(statement.get("sql").asText()).collect()) {
      while (rows.hasNext()) {
        Row row = rows.next();
        boolean added = row.getKind() == RowKind.INSERT || row.getKind() == RowKind.UPDATE_AFTER;
        counts.merge(cells(row).toString(), added ? 1 : -1, Integer::sum);
      }
    } catch (Exception e) {
      statement.put("error", rootCause(e).getMessage());
      return;
    }
    ArrayNode all = statement.putArray("rows");
    for (Map.Entry<String, Integer> one : counts.entrySet()) {
      JsonNode cells = JSON.readTree(one.getKey());
      for (int n = 0; n < one.getValue(); n++) all.add(cells);
    }
  }

  private static ArrayNode cells(Row row) {
    ArrayNode cells = JSON.createArrayNode();
    for (int i = 0; i < row.getArity(); i++) cells.add(row.getField(i) == null ? null : row.getField(i).toString());
    return cells;
  }

  private static Throwable rootCause(Throwable e) {
    return e.getCause() == null ? e : rootCause(e.getCause());
  }
}
