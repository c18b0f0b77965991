package winsql;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Standard error without the lines in which Spark's Python worker tells of its own start, five for each stateful query
 * on a stream, and the blank lines after them. Everything else passes as it comes, but for a line that may still become
 * one of these: it waits for its end.
 */
public final class QuietErrors extends OutputStream {
  private static final String[] NOISE = {
    "Streaming TransformWithStateInPandas Python worker", "Starting Streaming TransformWithStateInPandas Python worker"
  };

  private final PrintStream out;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private boolean passing = false;
  private boolean afterNoise = false;

  public QuietErrors(PrintStream out) {
    this.out = out;
  }

  /** Put it before the standard error of this JVM. */
  public static void install() {
    System.setErr(new PrintStream(new QuietErrors(System.err), true));
  }

  public synchronized void write(int letter) {
    if (passing) {
      out.write(letter);
    } else {
      line.write(letter);
      if (letter != '\n' && !mayBeNoise()) pass();
    }
    if (letter == '\n') end();
  }

  public synchronized void flush() {
    out.flush();
  }

  private void pass() {
    byte[] begun = line.toByteArray();
    out.write(begun, 0, begun.length);
    line.reset();
    passing = true;
    afterNoise = false;
  }

  /** A line that has not passed is noise or blank, or the beginning of what noise begins with. */
  private void end() {
    String text = line.toString().trim();
    boolean noise = !passing && (isNoise(text) || text.isEmpty() && afterNoise);
    if (!passing && !noise) pass();
    afterNoise = noise && !text.isEmpty();
    line.reset();
    passing = false;
  }

  private boolean mayBeNoise() {
    String text = line.toString();
    for (int i = 0; i < NOISE.length; i++) {
      if (NOISE[i].startsWith(text) || text.startsWith(NOISE[i])) return true;
    }
    return text.trim().isEmpty() && afterNoise;
  }

  private static boolean isNoise(String text) {
    for (int i = 0; i < NOISE.length; i++) {
      if (text.startsWith(NOISE[i])) return true;
    }
    return false;
  }
}
