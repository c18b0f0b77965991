#!/bin/sh
# Prints the JAVA_HOME that Spark can run on: Java 17 or 21.
#
# Looks at JAVA_HOME, then at `java` on the PATH, then where Debian, macOS, Homebrew and conda put theirs. When none
# fits, installs one with apt-get (as root on Debian or Ubuntu), or says how in one line and exits 1.
set -u

fits() {
    [ -x "$1/bin/java" ] || return 1
    case "$("$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1)" in
        17 | 21) return 0 ;;
        *) return 1 ;;
    esac
}

on_path() { # JAVA_HOME of the java on the PATH, whatever links lead to it
    java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p'
}

find_home() {
    for home in "${JAVA_HOME:-}" "$(on_path)" "${CONDA_PREFIX:-}/lib/jvm" \
        /usr/lib/jvm/* /Library/Java/JavaVirtualMachines/*/Contents/Home \
        /opt/homebrew/opt/openjdk@*/libexec/openjdk.jdk/Contents/Home \
        /usr/local/opt/openjdk@*/libexec/openjdk.jdk/Contents/Home; do
        if [ -n "$home" ] && fits "$home"; then
            echo "$home"
            return 0
        fi
    done
    return 1
}

find_home && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "winsql: no Java 17 or 21 found, installing one with apt-get" >&2
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq >&2
    for release in 17 21; do # Debian 12 has 17 only, Debian 13 has 21 only
        apt-get install -y -qq "openjdk-$release-jre-headless" >&2 && break
    done
    find_home && exit 0
fi

echo "winsql: Spark needs Java 17 or 21: 'sudo apt-get install openjdk-17-jre-headless' (Debian, Ubuntu; 21 on Debian 13)," \
    "'brew install openjdk@17' (macOS) or 'conda install -c conda-forge openjdk=17'" >&2
exit 1
