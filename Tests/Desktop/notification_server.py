"""A desktop for tests: a notification server, a portal and a service manager on a session bus.

    notification_server.py ORDERS CAPABILITIES [SERVICE...]

It prints each call as a line of JSON. From the named pipe ORDERS it reads lines of JSON: "press" with a notification's
"number" and a "key", or "close" with a "number", both as the server itself or, with "foreign", as another program; or
"replace" with "capabilities", which then are those of another server. A SERVICE is "portal" or "systemd".
"""

import json
import os
import sys

from gi.repository import Gio, GLib

INTERFACES = """
<node>
  <interface name="org.freedesktop.Notifications">
    <method name="GetCapabilities"><arg type="as" direction="out"/></method>
    <method name="Notify">
      <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
      <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
      <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/>
    </method>
    <method name="CloseNotification"><arg type="u" direction="in"/></method>
  </interface>
  <interface name="org.freedesktop.portal.OpenURI">
    <method name="OpenURI">
      <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/>
      <arg type="o" direction="out"/>
    </method>
  </interface>
  <interface name="org.freedesktop.systemd1.Manager">
    <method name="StartTransientUnit">
      <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="a(sv)" direction="in"/>
      <arg type="a(sa(sv))" direction="in"/><arg type="o" direction="out"/>
    </method>
  </interface>
</node>
"""
NOTIFICATIONS = ("org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications")
SERVICES = {
    "portal": ("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.OpenURI"),
    "systemd": ("org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager"),
}


def connect():
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    return Gio.DBusConnection.new_for_address_sync(os.environ["DBUS_SESSION_BUS_ADDRESS"], flags, None, None)


def show(**call):
    print(json.dumps(call), flush=True)


class Desktop:
    def __init__(self, capabilities, services):
        self.capabilities = capabilities
        self.last = 0
        self.clients = {}
        self.bus = connect()
        # Another program of the session, which has nothing to do with the notifications.
        self.foreign = connect()
        node = Gio.DBusNodeInfo.new_for_xml(INTERFACES)
        names = [NOTIFICATIONS] + [SERVICES[service] for service in services]
        self.missing = {name for name, _, _ in names}
        for name, path, interface in names:
            self.bus.register_object(path, node.lookup_interface(interface), self.called, None, None)
            Gio.bus_own_name_on_connection(self.bus, name, Gio.BusNameOwnerFlags.NONE, self.acquired, None)

    def acquired(self, connection, name):
        self.missing.remove(name)
        if not self.missing:
            show(method="started")

    def called(self, connection, sender, path, interface, method, parameters, invocation):
        values = parameters.unpack()
        reply = None
        if method == "GetCapabilities":
            reply = GLib.Variant("(as)", (self.capabilities,))
        elif method == "Notify":
            application, replaced, icon, title, body, actions, hints, lifetime = values
            number = replaced
            if number == 0:
                self.last += 1
                number = self.last
            self.clients[number] = sender
            show(method=method, application=application, replaced=replaced, number=number, icon=icon, title=title,
                 body=body, actions=actions, hints=hints, lifetime=lifetime)
            reply = GLib.Variant("(u)", (number,))
        elif method == "CloseNotification":
            show(method=method, number=values[0])
        elif method == "OpenURI":
            show(method=method, address=values[1])
            reply = GLib.Variant("(o)", ("/org/freedesktop/portal/desktop/request/1",))
        else:
            show(method=method, unit=values[0], mode=values[1], properties=values[2])
            reply = GLib.Variant("(o)", ("/org/freedesktop/systemd1/job/1",))
        invocation.return_value(reply)

    def order(self, order):
        if order["order"] == "replace":
            self.capabilities = order["capabilities"]
            return
        number = order["number"]
        signal, body = (
            ("ActionInvoked", GLib.Variant("(us)", (number, order["key"])))
            if order["order"] == "press"
            else ("NotificationClosed", GLib.Variant("(uu)", (number, 2)))
        )
        _, path, interface = NOTIFICATIONS
        foreign = order.get("foreign", False)
        # Servers send their signals to all programs; another program can send one to the client alone.
        target = self.clients.get(number) if foreign else None
        (self.foreign if foreign else self.bus).emit_signal(target, path, interface, signal, body)


def main():
    desktop = Desktop(sys.argv[2].split(","), sys.argv[3:])
    # Open for writing, too, so that the pipe has no end between two writers.
    orders = GLib.IOChannel.unix_new(os.open(sys.argv[1], os.O_RDWR))

    def received(channel, condition):
        desktop.order(json.loads(channel.readline()))
        return True

    GLib.io_add_watch(orders, GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN, received)
    GLib.MainLoop().run()


main()
