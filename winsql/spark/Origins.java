package winsql;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.QueryContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.trees.Origin;
import org.apache.spark.sql.catalyst.trees.SQLQueryContext;
import org.apache.spark.sql.catalyst.trees.TreeNode;
import scala.None$;
import scala.Option;
import scala.Product;
import scala.Some;
import scala.collection.Iterator;
import scala.collection.Seq;

/**
 * The places in SQL texts that the nodes of a plan come from: Spark's errors show them, also those of rows. A text that
 * winsql has made of a statement can be exchanged for the statement.
 */
public class Origins {
  private final Set seen = Collections.newSetFromMap(new IdentityHashMap());
  private final List origins = new ArrayList();

  public Origins(Object plan) {
    walk(plan);
  }

  /** The texts that nodes come from, one after the other with U+0000 between; those of views are not among them. */
  public String texts() {
    Set texts = new LinkedHashSet();
    for (Object origin : origins) {
      texts.add(text((Origin) origin));
    }
    return String.join("\u0000", texts);
  }

  /** The first and the last character of each place in a text: `0,5 7,9`. */
  public String places(String text) {
    StringBuilder places = new StringBuilder();
    for (Object origin : origins) {
      if (text.equals(text((Origin) origin))) {
        QueryContext context = ((Origin) origin).context();
        places.append(places.length() == 0 ? "" : " ").append(context.startIndex() + "," + context.stopIndex());
      }
    }
    return places.toString();
  }

  /** Makes the places of a text those of another one, in the order of `places`; an empty one: no place. */
  public void move(String text, String statement, String places) throws Exception {
    String[] moved = places.split(" ", -1);
    List found = new ArrayList();
    for (Object origin : origins) {
      if (text.equals(text((Origin) origin))) {
        found.add(origin);
      }
    }
    for (int index = 0; index < found.size(); index++) {
      move((Origin) found.get(index), statement, moved[index]);
    }
  }

  private static void move(Origin origin, String statement, String place) throws Exception {
    SQLQueryContext context = (SQLQueryContext) origin.context();
    Option text = (Option) None$.MODULE$;
    Option start = text;
    Option stop = text;
    Option line = text;
    Option position = text;
    if (!place.isEmpty()) {
      int first = index(statement, place.substring(0, place.indexOf(',')));
      int last = index(statement, place.substring(place.indexOf(',') + 1));
      String before = statement.substring(0, first);
      int begin = before.lastIndexOf('\n') + 1;
      text = new Some(statement);
      start = new Some(Integer.valueOf(first));
      stop = new Some(Integer.valueOf(last));
      line = new Some(Integer.valueOf(before.split("\n", -1).length));
      position = new Some(Integer.valueOf(before.codePointCount(begin, first)));
      set(context, "startIndex", Integer.valueOf(first));
      set(context, "stopIndex", Integer.valueOf(last));
    }
    set(context, "sqlText", text);
    set(context, "originStartIndex", start);
    set(context, "originStopIndex", stop);
    set(context, "line", line);
    set(context, "startPosition", position);
    set(context, "bitmap$0", Byte.valueOf((byte) 0)); // what was shown of it before is made anew
    set(origin, "sqlText", text);
    set(origin, "startIndex", start);
    set(origin, "stopIndex", stop);
    set(origin, "line", line);
    set(origin, "startPosition", position);
    //# since 4.1
    set(origin, "positionMapper", None$.MODULE$);
    //# end
  }

  /** Java's index of a character that Python, and Spark's parser, have counted. */
  private static int index(String text, String count) {
    return text.offsetByCodePoints(0, Integer.parseInt(count));
  }

  private static void set(Object owner, String name, Object value) throws Exception {
    Field field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    field.set(owner, value);
  }

  /** The text of an origin that is a whole text of SQL; null for others. */
  private static String text(Origin origin) {
    QueryContext context = origin.context();
    if (!(context instanceof SQLQueryContext)) {
      return null;
    }
    SQLQueryContext place = (SQLQueryContext) context;
    boolean isWhole = place.isValid() && place.originObjectType().isEmpty();
    return isWhole ? (String) place.sqlText().get() : null;
  }

  private void walk(Object value) {
    if (value instanceof TreeNode) {
      if (!seen.add(value)) {
        return;
      }
      Origin origin = ((TreeNode) value).origin();
      if (origin.sqlText().isDefined() && seen.add(origin) && text(origin) != null) {
        origins.add(origin);
      }
      walkAll(((TreeNode) value).productIterator());
      walkAll(((TreeNode) value).innerChildren().iterator());
    } else if (value instanceof Seq) {
      walkAll(((Seq) value).iterator());
    } else if (value instanceof Option || value.getClass().getName().startsWith("scala.Tuple")) {
      walkAll(((Product) value).productIterator());
    }
  }

  private void walkAll(Iterator values) {
    while (values.hasNext()) {
      Object value = values.next();
      if (value instanceof InternalRow) {
        return; // all others are rows of data, too
      }
      if (value != null) {
        walk(value);
      }
    }
  }
}
