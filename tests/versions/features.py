"""What must work on every version of Spark, and the tests that show it."""

from __future__ import annotations

FEATURES = {
    "windows, triggers, evictors and lateness over tables: 366 cases of Flink": [
        "tests/conformance/test_spark_batch.py::test_batch_cases",
    ],
    "the same over streams, in one query: 454 cases of Flink": [
        "tests/conformance/test_spark_stream.py::test_cases_in_one_query",
    ],
    "random statements against a model": [
        "tests/differential/test_differential.py::test_sample",
    ],
    "`window_join`, `co_group` and `WINDOW JOIN`": [
        "tests/spark/test_window_joins.py::test_as_written_by_hand",
        "tests/spark/test_window_joins.py::test_triggers_and_evictors_see_both_sides",
        "tests/spark/test_window_joins.py::test_co_group",
    ],
    "Flink's table functions": [
        "tests/spark/test_window_table_functions.py::test_rows_get_the_windows_of_their_assigner",
        "tests/spark/test_window_table_functions.py::test_sessions_are_those_of_the_operator",
    ],
    "`QUALIFY` in windowed statements": [
        "tests/spark/test_versions.py::test_qualify",
    ],
    "`FROM STREAM t WITH (...) WATERMARK ts DELAY OF ...` in windowed statements": [
        "tests/spark/test_versions.py::test_streams_are_read_in_sql",
    ],
    "streams: restarts, late rows, `APPLY`, the clock": [
        "tests/spark/test_streams.py::test_a_stream_gives_the_rows_of_a_table",
        "tests/spark/test_streams.py::test_late_rows",
        "tests/spark/test_streams.py::test_clock_rows_apply_and_one_global_key",
        "tests/spark/test_streams.py::test_a_restart_goes_on_and_another_query_is_refused",
    ],
    "streaming tables, late rows in a second one, `winsql.for_each_batch`": [
        "tests/spark/test_streaming_tables.py::test_result_late_rows_and_restarts",
        "tests/spark/test_streaming_tables.py::test_a_repeated_micro_batch_is_not_written_twice",
        "tests/spark/test_streaming_tables.py::test_formats_hold_every_type_and_an_external_path",
        "tests/spark/test_streaming_tables.py::test_for_each_batch_hands_over_firings_and_late_rows",
    ],
    "streaming tables that are killed and started again": [
        "tests/spark/test_killed.py::test_killed_at_random_moments",
    ],
    "window functions on streams": [
        "tests/spark/test_over.py::test_a_stream_gives_the_rows_of_a_table",
        "tests/spark/test_ranking_ties.py::test_rows_with_instants_in_every_zone[America/New_York]",
    ],
    "aggregates on streams: the values of Spark's own": [
        "tests/runtime/test_aggregates_spark.py::test_choosing",
        "tests/runtime/test_aggregates_spark.py::test_filter",
        "tests/runtime/test_aggregates_spark.py::test_percentiles_within_groups",
        "tests/runtime/test_aggregates_spark.py::test_approximate_percentiles",
        "tests/runtime/test_aggregates_spark.py::test_approximate_counts",
    ],
    "groups of what windows of streams give": [
        "tests/spark/test_cascades.py::test_what_comes_together_keeps_no_state",
    ],
    "`EMIT`, upserts and retractions": [
        "tests/spark/test_emit.py::test_what_is_sent",
        "tests/spark/test_emit.py::test_on_streams[UPSERT-EARLY EVERY 2 ROWS LATE ON ROW]",
        "tests/spark/test_emit.py::test_on_streams[RETRACTIONS-LATE ON ROW]",
    ],
    "`CREATE STREAMING VIEW`, `CREATE STREAM ... INTO`, `ALTER STREAM`": [
        "tests/spark/test_stream_views.py::test_files_to_windows_to_a_table",
        "tests/spark/test_sinks.py::test_folders_of_rows_and_late_rows_restarts_and_replacement",
        "tests/spark/test_database_sinks.py::test_a_repeated_micro_batch_changes_nothing",
        "tests/spark/test_stream_commands.py::test_a_stream_that_is_paused_goes_on_where_it_was",
    ],
    "Spark's own statements reach it as they are": [
        "tests/spark/test_pass_through.py::test_on_any_session",
    ],
    "`winsql.register`: `spark.sql`, other callers of the session, views and tables": [
        "tests/spark/test_register.py::test_sql_takes_the_language",
        "tests/spark/test_register.py::test_other_callers_of_the_session_take_it_too",
        "tests/spark/test_register.py::test_views_and_tables",
        "tests/spark/test_register.py::test_errors_reach_other_callers_whole",
        "tests/spark/test_register.py::test_unregister_undoes_it",
    ],
    "Spark Connect: tables, joins, `winsql.register`": [
        "tests/spark/test_connect.py::test_tables_and_sessions_on_spark_connect",
    ],
    "Spark Connect: streams, streaming tables": [
        "tests/spark/test_connect.py::test_streams_on_spark_connect",
    ],
    "parameters of callers that are not Python, in a registered session": [
        "tests/spark/test_register.py::test_parameters_of_other_callers",
    ],
    "the aggregates `session_windows` and `session_windows_ntz`": [
        "tests/spark/test_register.py::test_aggregates_of_the_pack",
    ],
    "the wheel alone, and the first query of the README": [
        "tests/test_wheel.py::test_the_first_query_of_the_readme",
    ],
    "the command `winsql`": [
        "tests/shell/test_command.py::test_the_command_runs_its_scripts_in_order",
        "tests/shell/test_command.py::test_the_command_fails_with_the_statement_that_fails",
    ],
}
"""Feature, as the page in docs/ has it -> tests, by their ids for pytest."""
