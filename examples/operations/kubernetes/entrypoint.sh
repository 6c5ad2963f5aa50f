#!/bin/sh
# The image's entry. Spark starts an executor's pod with the argument `executor` and says the rest in variables; any
# other argument is one of the command `shardwright`. PySpark's package has no image of its own.
set -eu

if [ "${1:-}" != executor ]; then
    exec shardwright "$@"
fi

# Spark numbers Java's options: SPARK_JAVA_OPT_0, SPARK_JAVA_OPT_1, ... Each is one argument and may hold spaces.
set --
number=0
while eval "[ -n \"\${SPARK_JAVA_OPT_$number+set}\" ]"; do
    eval "set -- \"\$@\" \"\$SPARK_JAVA_OPT_$number\""
    number=$((number + 1))
done

exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" "$@" \
    "-Xms$SPARK_EXECUTOR_MEMORY" "-Xmx$SPARK_EXECUTOR_MEMORY" \
    -cp "${SPARK_CLASSPATH:+$SPARK_CLASSPATH:}$SPARK_HOME/jars/*" \
    org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend \
    --driver-url "$SPARK_DRIVER_URL" \
    --executor-id "$SPARK_EXECUTOR_ID" \
    --cores "$SPARK_EXECUTOR_CORES" \
    --app-id "$SPARK_APPLICATION_ID" \
    --hostname "$SPARK_EXECUTOR_POD_IP" \
    --bind-address "$SPARK_EXECUTOR_POD_IP" \
    --resourceProfileId "$SPARK_RESOURCE_PROFILE_ID" \
    --podName "$SPARK_EXECUTOR_POD_NAME"
