# Sourced by the scripts beside it: Flink's jars, and the programs compiled against them. Sets dir, cp and flink.
# Needs Java 17+, Python 3.10+ and pip; keeps the jars and classes under ${FLINK_CASES_DIR:-~/.cache/flink-cases}.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
dir=${FLINK_CASES_DIR:-$HOME/.cache/flink-cases}
version=2.3.0
if [ ! -d "$dir/pyflink/lib" ]; then
  mkdir -p "$dir"
  python3 -m pip download -q --no-deps "apache-flink-libraries==$version" -d "$dir" >&2
  (cd "$dir" && python3 -m zipfile -e apache_flink_libraries-*.whl . && rm -f apache_flink_libraries-*.whl)
fi
cp=$(printf '%s:' "$dir"/pyflink/lib/*.jar)
mkdir -p "$dir/classes"
javac -nowarn -d "$dir/classes" -cp "$cp" "$here"/*.java
flink() { java --add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED -Xmx2g -cp "$cp:$dir/classes" "$@"; }
