"""Values of objects that are computed when they are first asked for."""

from concurrent.futures import ThreadPoolExecutor

from synth.lazy import defer


class Sum:
    part = None

    @defer
    def value(self):
        with ThreadPoolExecutor(1) as threads:
            return 1 + threads.submit(getattr, self.part, "value", 1).result(timeout=60)


def test_who_computes_holds_up_nobody_who_asks_another_object():
    whole = Sum()
    whole.part = Sum()
    assert (whole.value, vars(whole)["value"]) == (3, 3)
