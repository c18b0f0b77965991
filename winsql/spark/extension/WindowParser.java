package winsql;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.spark.QueryContext;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.AliasIdentifier;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.expressions.Expression;
//# since 4.1
import org.apache.spark.sql.catalyst.parser.HybridParameterContext;
import org.apache.spark.sql.catalyst.parser.NamedParameterContext;
import org.apache.spark.sql.catalyst.parser.ParameterContext;
import org.apache.spark.sql.catalyst.parser.PositionalParameterContext;
//# end
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
//# since 4.3
import org.apache.spark.sql.catalyst.parser.SqlStatementSplitResult;
import org.apache.spark.sql.catalyst.parser.TemporalIdentifier;
//# end
import org.apache.spark.sql.catalyst.plans.logical.Command;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.UnresolvedWith;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.execution.command.CreateViewCommand;
import org.apache.spark.sql.execution.command.ExplainCommand;
import org.apache.spark.sql.execution.command.ExternalCommandExecutor;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;
import py4j.CallbackClient;
import py4j.ClientServerConnection;
import py4j.GatewayServer;
import py4j.PythonClient;
import scala.None$;
import scala.Option;
import scala.Some;
import scala.Tuple2;
import scala.Tuple3;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The parser of a session that understands winsql's statements. It is compiled when a session is registered, with the
 * compiler that Spark itself compiles queries with, and only hands over: a text without winsql's words goes to
 * the parser that was there before, without Python; any other one is shown to Python, which answers with a plan, with
 * null (the statement is Spark's own), or with the exception to throw.
 */
public class WindowParser implements ParserInterface {
  /** What Python is asked by this thread: texts that are parsed meanwhile are not those of a client. */
  private static final ThreadLocal ASKING = new ThreadLocal();

  private final ParserInterface before;
  private final Pattern words;
  private volatile Function python;

  /**
   * @param words a pattern that matches where a text that may be winsql's begins
   */
  public WindowParser(ParserInterface before, String words) {
    this.before = before;
    this.words = Pattern.compile(words, Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  }

  /** From now on Python is asked, at the other end of a gateway. */
  public void ask(Function python, GatewayServer gateway) {
    this.python = new Asked(python, gateway);
  }

  /** Python is not asked any longer. */
  public void askNobody() {
    this.python = null;
  }

  /** The parser that was there before. */
  public ParserInterface before() {
    return before;
  }

  public LogicalPlan parsePlan(String text) throws ParseException {
    Object plan = asked(text, null);
    try {
      return plan != null ? (LogicalPlan) plan : read(text, before.parsePlan(text));
    } catch (ParseException error) {
      throw told(text, error);
    }
  }

  //# since 4.1
  public LogicalPlan parsePlanWithParameters(String text, ParameterContext parameters) throws ParseException {
    Object plan = asked(text, parameters);
    try {
      return plan != null ? (LogicalPlan) plan : read(text, before.parsePlanWithParameters(text, parameters));
    } catch (ParseException error) {
      throw told(text, error);
    }
  }
  //# end

  /** Spark's error, unless Python knows a better one, which it throws: the text may have been meant for winsql. */
  private ParseException told(String text, ParseException error) {
    Function asked = python;
    if (asked != null) {
      answer(asked, new Object[] {"refused", text, null});
    }
    return error;
  }

  private Object asked(String text, ParameterContext parameters) {
    Function asked = python;
    if (asked == null || !hasWords(text)) {
      return null;
    }
    Object plan = answer(asked, new Object[] {"parse", text, plain(parameters)});
    if (isOfClient() && plan instanceof LogicalPlan && isEndless((LogicalPlan) plan)) {
      answer(asked, new Object[] {"endless", text, null});
    }
    return plan;
  }

  /** Whether a client of Spark's Thrift server asks, who can only read the rows of a query to their end. */
  private static boolean isOfClient() {
    return Thread.currentThread().getName().startsWith("HiveServer2");
  }

  /** A plan of Spark's own. Of one that reads a stream for such a client Python throws an error. */
  private LogicalPlan read(String text, LogicalPlan plan) {
    Function asked = python;
    if (asked != null && isOfClient() && ASKING.get() == null && !(plan instanceof Command)) {
      answer(asked, new Object[] {"read", text, plan});
    }
    return plan;
  }

  /** Whether a plan is a query over a stream, which Python has analyzed. */
  private static boolean isEndless(LogicalPlan plan) {
    return plan.resolved() && plan.isStreaming() && !(plan instanceof Command);
  }

  /** Whether a text may be one of winsql's. */
  public boolean hasWords(String text) {
    return words.matcher(text).lookingAt();
  }

  private static Object answer(Function python, Object[] question) {
    Object outer = ASKING.get();
    ASKING.set(question);
    Object answer;
    try {
      answer = python.apply(question);
    } finally {
      ASKING.set(outer);
    }
    if (answer instanceof Throwable) {
      Platform.throwException((Throwable) answer);
    }
    return answer;
  }

  /**
   * Python, asked by any thread of the JVM. py4j opens a connection for each, with a thread in Python at its other end,
   * and keeps them when the thread has ended. The Thrift server has a new thread for almost every statement.
   */
  private static final class Asked implements Function {
    private final Function python;
    private final GatewayServer gateway;

    Asked(Function python, GatewayServer gateway) {
      this.python = python;
      this.gateway = gateway;
    }

    public Object apply(Object question) {
      Object client = gateway.getCallbackClient();
      if (!(client instanceof PythonClient) || isOpen(((PythonClient) client).getPerThreadConnection())) {
        return python.apply(question);
      }
      try {
        return python.apply(question);
      } finally {
        close((PythonClient) client);
      }
    }

    private static boolean isOpen(ClientServerConnection connection) {
      return connection != null && connection.getSocket() != null;
    }

    /** Closes the connection of this thread; where a py4j keeps its connections in another way, it stays open. */
    private static void close(PythonClient client) {
      ClientServerConnection connection = client.getPerThreadConnection();
      try {
        Lock lock = (Lock) kept(client, "lock");
        lock.lock();
        try {
          ((Deque) kept(client, "connections")).remove(connection);
        } finally {
          lock.unlock();
        }
        connection.shutdown();
      } catch (ReflectiveOperationException error) {
        return;
      }
    }

    private static Object kept(PythonClient client, String name) throws ReflectiveOperationException {
      Field field = CallbackClient.class.getDeclaredField(name);
      field.setAccessible(true);
      return field.get(client);
    }
  }

  // ------------------------------------------------------------ what Python asks for

  //# before 4.1
  /** Parameters get their values after the parser, which is shown none. */
  public static class ParameterContext {}
  //# end

  /** Named parameters as columns; null when there are none. */
  public Map named(ParameterContext parameters) {
    //# since 4.1
    if (!(parameters instanceof NamedParameterContext)) {
      return null;
    }
    Map columns = new LinkedHashMap();
    for (Object entry : CollectionConverters.asJava(((NamedParameterContext) parameters).params()).entrySet()) {
      columns.put(((Map.Entry) entry).getKey(), ExpressionUtils.column((Expression) ((Map.Entry) entry).getValue()));
    }
    return columns;
    //# end
    //# before 4.1
    return null;
    //# end
  }

  /** Positional parameters as columns; null when there are none. */
  public List positional(ParameterContext parameters) {
    //# since 4.1
    if (!(parameters instanceof PositionalParameterContext)) {
      return null;
    }
    List columns = new ArrayList();
    for (Object value : CollectionConverters.asJava(((PositionalParameterContext) parameters).params())) {
      columns.add(ExpressionUtils.column((Expression) value));
    }
    return columns;
    //# end
    //# before 4.1
    return null;
    //# end
  }

  /**
   * The plan of a rewritten statement.
   *
   * @param names what positional parameters are called in the text
   * @param relations name of a relation in the text -> its plan
   */
  public LogicalPlan planned(String text, ParameterContext parameters, List names, Map relations) throws ParseException {
    LogicalPlan plan = null;
    //# since 4.1
    if (parameters != null) {
      plan = before.parsePlanWithParameters(text, allNamed(parameters, names));
    }
    //# end
    if (parameters == null) {
      plan = before.parsePlan(text);
    }
    return relations.isEmpty() ? plan : new Relations(relations).in(plan);
  }

  /** Those of EXECUTE IMMEDIATE, of which each may have a name or not, as spark.sql has them: all or none. */
  private static ParameterContext plain(ParameterContext parameters) {
    //# since 4.1
    if (!(parameters instanceof HybridParameterContext)) {
      return parameters;
    }
    HybridParameterContext hybrid = (HybridParameterContext) parameters;
    List entries = new ArrayList();
    for (int index = 0; index < hybrid.args().length(); index++) {
      if (((String) hybrid.paramNames().apply(index)).isEmpty()) {
        return new PositionalParameterContext(hybrid.args());
      }
      entries.add(new Tuple2(hybrid.paramNames().apply(index), hybrid.args().apply(index)));
    }
    return named(entries);
    //# end
    //# before 4.1
    return parameters;
    //# end
  }

  //# since 4.1
  private static ParameterContext allNamed(ParameterContext parameters, List names) {
    if (!(parameters instanceof PositionalParameterContext)) {
      return parameters;
    }
    List entries = new ArrayList();
    int index = 0;
    for (Object value : CollectionConverters.asJava(((PositionalParameterContext) parameters).params())) {
      entries.add(new Tuple2(names.get(index++), value));
    }
    return named(entries);
  }

  private static ParameterContext named(List entries) {
    return new NamedParameterContext(
        (scala.collection.immutable.Map) scala.collection.immutable.Map$.MODULE$.from(CollectionConverters.asScala(entries)));
  }
  //# end

  /** A command that Python runs when Spark runs it. */
  public LogicalPlan command(String text, ParameterContext parameters, String schema) {
    return new Command(
        python, text, parameters, DataTypeUtils.toAttributes((StructType) DataType.fromJson(schema)));
  }

  /**
   * What a caller in the JVM gets for a mistake in a window clause; the place is -1 where there is none, and the
   * condition, one of Spark's, is null.
   */
  public Throwable error(String message, int line, int column, String condition) {
    return new WindowError(message, line, column, condition);
  }

  public static class WindowError extends AnalysisException {
    public WindowError(String message, int line, int column, String condition) {
      super(
          message,
          place(line),
          place(column),
          None$.MODULE$,
          condition == null ? (Option) None$.MODULE$ : (Option) new Some(condition),
          (scala.collection.immutable.Map) scala.collection.immutable.Map$.MODULE$.empty(),
          new QueryContext[0]);
    }

    private static Option place(int number) {
      return number < 0 ? (Option) None$.MODULE$ : (Option) new Some(Integer.valueOf(number));
    }

    /** The message as it is: it tells the place itself. */
    public String getMessage() {
      return message();
    }

    /** The Thrift server shows this to its clients; the name of the class would tell them nothing. */
    public String toString() {
      return message();
    }

    /** SQL's own code for a syntax error or the breach of a rule. */
    public String getSqlState() {
      return "42000";
    }

    /** None: it would show how Python was asked, and the Thrift server sends it to its clients. */
    public Throwable fillInStackTrace() {
      return this;
    }
  }

  /** Extends a command of Spark's only because Java cannot mix in Scala's traits by itself. */
  public static class Command extends ExternalCommandExecutor {
    private final Function python;
    private final String text;
    private final ParameterContext parameters;
    private final scala.collection.immutable.Seq columns;

    public Command(
        Function python, String text, ParameterContext parameters, scala.collection.immutable.Seq columns) {
      super(null, text, (scala.collection.immutable.Map) scala.collection.immutable.Map$.MODULE$.empty());
      this.python = python;
      this.text = text;
      this.parameters = parameters;
      this.columns = columns;
    }

    /** Spark would look for the constructor of the class that this one extends. */
    public LogicalPlan clone() {
      return new Command(python, text, parameters, columns);
    }

    public scala.collection.immutable.Seq output() {
      return columns;
    }

    public scala.collection.immutable.Seq run(SparkSession session) {
      Object rows = answer(python, new Object[] {"run", text, parameters});
      return CollectionConverters.asScala((List) rows).toList();
    }
  }

  /** Puts plans in the place of their relations. */
  public static class Relations extends scala.runtime.AbstractPartialFunction {
    private final Map relations;

    public Relations(Map relations) {
      this.relations = relations;
    }

    public LogicalPlan in(LogicalPlan plan) {
      return (LogicalPlan) plan.transformDownWithSubqueries(this);
    }

    public boolean isDefinedAt(Object node) {
      return node instanceof UnresolvedWith
          || node instanceof ExplainCommand
          || node instanceof CreateViewCommand
          || relation(node) != null;
    }

    public Object applyOrElse(Object node, scala.Function1 otherwise) {
      if (node instanceof UnresolvedWith) {
        return with((UnresolvedWith) node);
      } else if (node instanceof ExplainCommand) {
        return new ExplainCommand(in(((ExplainCommand) node).logicalPlan()), ((ExplainCommand) node).mode());
      } else if (node instanceof CreateViewCommand) {
        return view((CreateViewCommand) node);
      }
      LogicalPlan plan = relation(node);
      return plan != null ? plan : otherwise.apply(node);
    }

    private LogicalPlan relation(Object node) {
      if (!(node instanceof UnresolvedRelation)) {
        return null;
      }
      String name = ((UnresolvedRelation) node).name();
      LogicalPlan plan = (LogicalPlan) relations.get(name);
      return plan == null ? null : new SubqueryAlias(new AliasIdentifier(name), plan);
    }

    /** CTEs are no children of their WITH. */
    private LogicalPlan with(UnresolvedWith node) {
      List relations = new ArrayList();
      for (Object cte : CollectionConverters.asJava(node.cteRelations())) {
        //# since 4.1
        Tuple3 parts = (Tuple3) cte;
        relations.add(new Tuple3(parts._1(), in((LogicalPlan) parts._2()), parts._3()));
        //# end
        //# before 4.1
        Tuple2 parts = (Tuple2) cte;
        relations.add(new Tuple2(parts._1(), in((LogicalPlan) parts._2())));
        //# end
      }
      return new UnresolvedWith(
          node.child(), CollectionConverters.asScala(relations).toList(), node.allowRecursion());
    }

    /** A temporary view keeps its plan when there is no text to keep. */
    private LogicalPlan view(CreateViewCommand node) {
      return new CreateViewCommand(
          node.name(), node.userSpecifiedColumns(), node.comment(), node.collation(), node.properties(),
          (Option) None$.MODULE$, node.plan(), node.allowExisting(), node.replace(), node.viewType(),
          node.viewSchemaMode(), node.isAnalyzed(), node.referredTempFunctions());
    }
  }

  // ------------------------------------------------------------ as before

  public LogicalPlan parseQuery(String text) throws ParseException {
    return before.parseQuery(text);
  }

  public Expression parseExpression(String text) throws ParseException {
    return before.parseExpression(text);
  }

  public TableIdentifier parseTableIdentifier(String text) throws ParseException {
    return before.parseTableIdentifier(text);
  }

  public FunctionIdentifier parseFunctionIdentifier(String text) throws ParseException {
    return before.parseFunctionIdentifier(text);
  }

  public scala.collection.immutable.Seq parseMultipartIdentifier(String text) throws ParseException {
    return before.parseMultipartIdentifier(text);
  }

  //# since 4.3
  public TemporalIdentifier parseTemporalTableIdentifier(String text) throws ParseException {
    return before.parseTemporalTableIdentifier(text);
  }
  //# end

  public StructType parseRoutineParam(String text) throws ParseException {
    return before.parseRoutineParam(text);
  }

  //# since 4.3
  public SqlStatementSplitResult splitStatements(String text) {
    return before.splitStatements(text);
  }
  //# end

  public StructType parseTableSchema(String text) throws ParseException {
    return before.parseTableSchema(text);
  }

  public DataType parseDataType(String text) throws ParseException {
    return before.parseDataType(text);
  }
}
