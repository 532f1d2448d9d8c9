// sd-bus of libsystemd (sd-bus(3)), a client of D-Bus: the calls and signals that the module Desktop needs.
//
// Typed wrappers, because the functions that write and read messages are variadic. All of them return a negative error
// number of errno where they fail.
#ifndef STORECTL_CSYSTEMD_H
#define STORECTL_CSYSTEMD_H

#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <systemd/sd-bus.h>

#define CSYSTEMD_NOTIFICATIONS "org.freedesktop.Notifications"
#define CSYSTEMD_NOTIFICATIONS_PATH "/org/freedesktop/Notifications"

// Connects to the bus at an address. The connection is established by the calls that follow, each of which ends after
// the timeout in microseconds.
static inline int csystemd_connect(const char *address, uint64_t timeout, sd_bus **bus) {
    sd_bus *created = NULL;
    int result = sd_bus_new(&created);
    if (result >= 0) result = sd_bus_set_address(created, address);
    if (result >= 0) result = sd_bus_set_bus_client(created, 1);
    if (result >= 0) result = sd_bus_set_method_call_timeout(created, timeout);
    if (result >= 0) result = sd_bus_start(created);
    if (result < 0) {
        sd_bus_close_unref(created);
        return result;
    }
    *bus = created;
    return 0;
}

// Requests the signals of the notification server.
static inline int csystemd_watch_notifications(sd_bus *bus) {
    return sd_bus_call_method(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch",
                              NULL, NULL, "s",
                              "type='signal',sender='" CSYSTEMD_NOTIFICATIONS "',interface='" CSYSTEMD_NOTIFICATIONS "'");
}

// Asks the notification server whether it reads markup in the body of a notification, so that it has to be escaped.
static inline int csystemd_reads_markup(sd_bus *bus) {
    sd_bus_message *reply = NULL;
    int result = sd_bus_call_method(bus, CSYSTEMD_NOTIFICATIONS, CSYSTEMD_NOTIFICATIONS_PATH, CSYSTEMD_NOTIFICATIONS,
                                    "GetCapabilities", NULL, &reply, "");
    int found = 0;
    if (result >= 0) result = sd_bus_message_enter_container(reply, 'a', "s");
    while (result >= 0) {
        const char *name = NULL;
        result = sd_bus_message_read(reply, "s", &name);
        if (result <= 0) break;
        if (__builtin_strcmp(name, "body-markup") == 0) found = 1;
    }
    sd_bus_message_unref(reply);
    return result < 0 ? result : found;
}

// Creates the call that shows a notification, up to its buttons. It replaces another one, unless that number is 0.
static inline int csystemd_begin_notification(sd_bus *bus, const char *application, uint32_t replaced, const char *icon,
                                              const char *title, const char *body, sd_bus_message **call) {
    int result = sd_bus_message_new_method_call(bus, call, CSYSTEMD_NOTIFICATIONS, CSYSTEMD_NOTIFICATIONS_PATH,
                                                CSYSTEMD_NOTIFICATIONS, "Notify");
    if (result >= 0) result = sd_bus_message_append(*call, "susss", application, replaced, icon, title, body);
    if (result >= 0) result = sd_bus_message_open_container(*call, 'a', "s");
    return result;
}

static inline int csystemd_add_button(sd_bus_message *call, const char *key, const char *label) {
    return sd_bus_message_append(call, "ss", key, label);
}

// Sends the call, waits for the reply, and reads the number of the notification from it.
static inline int csystemd_show_notification(sd_bus *bus, sd_bus_message *call, const char *entry, uint32_t *number,
                                             sd_bus_message **reply) {
    int result = sd_bus_message_close_container(call);
    // The lifetime -1 is the one that the server chooses.
    if (result >= 0) result = sd_bus_message_append(call, "a{sv}i", 1, "desktop-entry", "s", entry, -1);
    if (result >= 0) result = sd_bus_call(bus, call, 0, NULL, reply);
    return result < 0 ? result : sd_bus_message_read(*reply, "u", number);
}

// Closes a notification, without waiting for the reply.
static inline int csystemd_close_notification(sd_bus *bus, uint32_t number) {
    return sd_bus_call_method_async(bus, NULL, CSYSTEMD_NOTIFICATIONS, CSYSTEMD_NOTIFICATIONS_PATH,
                                    CSYSTEMD_NOTIFICATIONS, "CloseNotification", NULL, NULL, "u", number);
}

// Reads the signal that a button of a notification was pressed; the key lives as long as the message.
static inline int csystemd_read_action(sd_bus_message *message, uint32_t *number, const char **key) {
    if (sd_bus_message_is_signal(message, CSYSTEMD_NOTIFICATIONS, "ActionInvoked") <= 0) return 0;
    return sd_bus_message_read(message, "us", number, key);
}

// Reads the signal that a notification was closed.
static inline int csystemd_read_closed(sd_bus_message *message, uint32_t *number) {
    uint32_t reason;
    if (sd_bus_message_is_signal(message, CSYSTEMD_NOTIFICATIONS, "NotificationClosed") <= 0) return 0;
    return sd_bus_message_read(message, "uu", number, &reason);
}

// Asks the desktop's portal to open an address in the user's browser.
static inline int csystemd_open_by_portal(sd_bus *bus, const char *address) {
    return sd_bus_call_method(bus, "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
                              "org.freedesktop.portal.OpenURI", "OpenURI", NULL, NULL, "ssa{sv}", "", address, 0);
}

// Asks the user's service manager to run a program with one argument, in a unit of its own.
static inline int csystemd_run(sd_bus *bus, const char *unit, const char *program, const char *argument) {
    return sd_bus_call_method(bus, "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
                              "org.freedesktop.systemd1.Manager", "StartTransientUnit", NULL, NULL, "ssa(sv)a(sa(sv))",
                              unit, "fail", 2, "CollectMode", "s", "inactive-or-failed", "ExecStart", "a(sasb)", 1,
                              program, 2, program, argument, 0, 0);
}

// Waits until there is something to do for the connection, or to read from a descriptor, at most for a time in
// milliseconds; -1 is without limit. The bus may be NULL.
static inline int csystemd_wait(sd_bus *bus, int descriptor, int milliseconds) {
    struct pollfd files[2] = {{.fd = descriptor, .events = POLLIN}, {.fd = -1}};
    if (bus != NULL) {
        int file = sd_bus_get_fd(bus);
        int events = file < 0 ? file : sd_bus_get_events(bus);
        if (events < 0) return events;
        files[1].fd = file;
        files[1].events = (short)events;
    }
    poll(files, 2, milliseconds);
    return 0;
}

#endif
