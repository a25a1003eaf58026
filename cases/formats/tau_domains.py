"""What τ-bench and τ²-bench say only in their code: which tools write, and a log's domain.

The tables are the benchmarks' own catalogs. ``calculate`` and ``think`` store nothing; a transfer
to a human changes no record, so by the benchmarks' own truth (the final database) it is no write.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from cases.case import Effect, Tool
from cases.expectation import CallDecision, ExpectedStep
from cases.jsonvalue import JsonObject


def _catalog(reads: str, writes: str) -> tuple[Tool, ...]:
    return (
        *(Tool(name=name, effect="read") for name in reads.split()),
        *(Tool(name=name, effect="write") for name in writes.split()),
    )


_EVERYWHERE = "calculate transfer_to_human_agents"

AIRLINE: tuple[Tool, ...] = _catalog(
    reads=f"{_EVERYWHERE} think get_flight_status get_reservation_details get_user_details "
    "list_all_airports search_direct_flight search_onestop_flight",
    writes="book_reservation cancel_reservation send_certificate update_reservation_baggages "
    "update_reservation_flights update_reservation_passengers",
)
RETAIL: tuple[Tool, ...] = _catalog(
    reads=f"{_EVERYWHERE} think find_user_id_by_email find_user_id_by_name_zip get_item_details "
    "get_order_details get_product_details get_user_details list_all_product_types",
    writes="cancel_pending_order exchange_delivered_order_items modify_pending_order_address "
    "modify_pending_order_items modify_pending_order_payment modify_user_address "
    "return_delivered_order_items",
)
TELECOM: tuple[Tool, ...] = _catalog(
    reads="transfer_to_human_agents get_bills_for_customer get_customer_by_id "
    "get_customer_by_name get_customer_by_phone get_data_usage get_details_by_id",
    writes="disable_roaming enable_roaming refuel_data resume_line send_payment_request suspend_line",
)
TELECOM_SOLO: tuple[Tool, ...] = TELECOM + _catalog(
    reads="can_send_mms check_apn_settings check_app_permissions check_app_status "
    "check_data_restriction_status check_installed_apps check_network_mode_preference "
    "check_network_status check_payment_request check_sim_status check_status_bar "
    "check_vpn_status check_wifi_calling_status check_wifi_status run_speed_test",
    writes="connect_vpn disconnect_vpn grant_app_permission make_payment reboot_device "
    "reseat_sim_card reset_apn_settings set_apn_settings set_network_mode_preference "
    "toggle_airplane_mode toggle_data toggle_data_saver_mode toggle_roaming toggle_wifi "
    "toggle_wifi_calling",
)
"""Without a simulated user the agent works the user's telephone too."""

CATALOGS: dict[str, tuple[Tool, ...]] = {"airline": AIRLINE, "retail": RETAIL, "telecom": TELECOM}

_EFFECTS: dict[str, Effect] = {
    tool.name: tool.effect for catalog in (*CATALOGS.values(), TELECOM_SOLO) for tool in catalog
}
_SHARED = {tool.name for tool in AIRLINE} & {tool.name for tool in RETAIL}
_DOMAIN_OF = {
    tool.name: domain for domain in ("airline", "retail") for tool in CATALOGS[domain] if tool.name not in _SHARED
}
_TITLE = re.compile(r"\s*# (Airline|Retail) agent policy", re.IGNORECASE)
_CLOCK = re.compile(r"The current time is (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([A-Z]{2,5})\.", re.ASCII)


def find_domain(names: Iterable[str], policy: str) -> str | None:
    """Return the τ-bench domain of the first telling tool name, else of the policy's title."""
    for name in names:
        if name in _DOMAIN_OF:
            return _DOMAIN_OF[name]
    titled = _TITLE.match(policy)
    return titled[1].lower() if titled else None


def policy_clock(policy: str) -> tuple[str | None, str | None]:
    """Return reference time (ISO 8601, local) and time zone where the policy states them."""
    found = _CLOCK.search(policy)
    return (f"{found[1]}T{found[2]}", found[3]) if found else (None, None)


def gates(tool: str) -> bool:
    """Return whether a gold action on ``tool`` gates: a known read informs, all else gates."""
    return _EFFECTS.get(tool, "unknown") != "read"


def gold_step(tool: str, args: JsonObject | None) -> ExpectedStep:
    """Return one gold action as a step of the one unordered group that the gold of a task is."""
    return ExpectedStep(tool=tool, args=args, turn=1, gating=gates(tool))


def gold_decision(steps: Iterable[ExpectedStep]) -> CallDecision | None:
    """Return ``optional`` where nothing of the gold gates, else leave it to be derived."""
    is_binding = any(step.gating and step.requestor == "agent" for step in steps)
    return None if is_binding else "optional"
