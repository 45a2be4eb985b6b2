#!/usr/bin/env bash
# Installs the table companion on Raspberry Pi OS (Trixie or Bookworm, 64-bit) or Debian, as a service.
#
#   sudo systemd/install.sh                 install, or bring an installation up to this version
#   sudo systemd/install.sh --upgrade       the same, but only where it is installed already
#   sudo systemd/install.sh --uninstall     take it away; games, calibrations and configuration stay
#   systemd/install.sh --dry-run [...]      say what would be done, and do nothing
#   --wheels DIR                            take Python packages from DIR, without a network
#
# DIR holds wheels of all that the companion needs, and of the setuptools it is built with. They are fetched, with a
# network, on a machine of the same kind and Python: pip download --dest DIR . 'setuptools>=77'
# (for Bookworm with --constraint systemd/bookworm.txt).
#
# Every version has a folder of its own in /opt/companion/releases; /opt/companion/current names the one that runs. A
# new version that does not come up healthy is taken away again, and the one before runs on. Running it twice is harmless.
set -euo pipefail
umask 022 # whatever the caller's is: the service's user must read what is made here, which holds no secrets. Who writes
# one into the configuration, a camera's password, closes that: chgrp companion and chmod 640; it stays so

SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
HOME_FOLDER=/opt/companion
RELEASES=$HOME_FOLDER/releases
CURRENT=$HOME_FOLDER/current
CONFIG=/etc/companion/companion.toml
STATE=/var/lib/companion
UNIT=/etc/systemd/system/companion.service
UDEV_RULE=/etc/udev/rules.d/60-companion-ring.rules
POLKIT_RULE=/etc/polkit-1/rules.d/50-companion-power.rules
LAST_WORD=/usr/lib/systemd/system-shutdown/companion
MODULES=/etc/modules-load.d/companion.conf
PROGRAM=/usr/local/bin/companion
GROUPS_NEEDED="gpio i2c spi video dialout"
APT_PACKAGES="python3-venv python3-picamera2 python3-lgpio python3-spidev"
APT_WAIT_S=300 # unattended upgrades, which begin soon after power-on, lock apt for minutes
# How long a new version must stay up: one that is stuck at its first picture is ended by the watchdog within 40 s.
HEALTHY_S=${COMPANION_HEALTHY_S:-45}

action=install
dry_run=no
wheels=
changed=()

say() { printf '%s\n' "$*"; }
fail() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 1
}

# Does it, or says it.
run() {
    if [ "$dry_run" = yes ]; then
        say "would run: $*"
    else
        "$@"
    fi
}

done_so() {
    changed+=("$*")
}

usage() {
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
}

read_options() {
    while [ $# -gt 0 ]; do
        case $1 in
            --upgrade) action=upgrade ;;
            --uninstall) action=uninstall ;;
            --dry-run) dry_run=yes ;;
            --wheels)
                [ -d "${2:-}" ] || fail "--wheels needs a folder of Python packages; there is none at '${2:-}'"
                wheels=$(cd "$2" && pwd)
                shift
                ;;
            -h | --help)
                usage
                exit 0
                ;;
            *) fail "there is no option $1; see --help" ;;
        esac
        shift
    done
}

check_machine() {
    [ "$dry_run" = yes ] || [ "$(id -u)" = 0 ] || fail "run it with sudo; --dry-run says what it would do"
    [ -x /usr/bin/python3 ] || fail "/usr/bin/python3 is missing; install it with: apt install python3"
    /usr/bin/python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "Python 3.11 or later is needed; this system is too old (Bookworm or Trixie would do)"
    check_wheels
    [ -d /run/systemd/system ] || [ "$dry_run" = yes ] || fail "systemd does not run here, and the service needs it"
}

# The kernel may be a 64-bit one below a 32-bit system, as on Raspberry Pi OS; pip goes by its Python.
check_wheels() {
    local only="OpenCV comes for 64-bit ARM and x86 only; install the 64-bit Raspberry Pi OS"
    /usr/bin/python3 -c 'import sys; sys.exit(sys.maxsize < 2**32)' || fail "this is a 32-bit system, and $only"
    case $(uname -m) in
        aarch64 | x86_64) ;;
        *) fail "this is a $(uname -m) system, and $only" ;;
    esac
}

# -- what the system must have

install_packages() {
    local missing=() package
    for package in $APT_PACKAGES; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ -n "$wheels" ]; then
        say "note: without a network, apt packages are not fetched; missing: ${missing[*]}"
        return 0
    fi
    run apt-get -q update || say "note: the list of packages could not be brought up to date"
    for package in "${missing[@]}"; do
        if run apt-get -q install -y --no-install-recommends -o "DPkg::Lock::Timeout=$APT_WAIT_S" "$package"; then
            done_so "apt package $package"
        elif [ "$package" = python3-venv ]; then
            fail "apt could not install python3-venv, and says above why; mend that and try again"
        elif apt-cache show "$package" >/dev/null 2>&1; then
            say "note: apt could not install $package, and says above why; what needs it shows as lost until you try again"
        else
            say "note: there is no apt package $package here; what needs it shows as lost, all else works"
        fi
    done
}

make_user() {
    local group
    for group in $GROUPS_NEEDED; do
        getent group "$group" >/dev/null || {
            run groupadd --system "$group"
            done_so "group $group"
        }
    done
    if ! getent passwd companion >/dev/null; then
        run useradd --system --user-group --no-create-home --home-dir "$STATE" --shell /usr/sbin/nologin companion
        done_so "user companion"
    fi
    run usermod --append --groups "${GROUPS_NEEDED// /,}" companion
}

switch_buses_on() {
    if ! command -v raspi-config >/dev/null; then
        say "note: raspi-config is not here; for an OLED switch on I2C or SPI by the means of this system"
        return 0
    fi
    local bus
    for bus in i2c spi; do
        if [ "$(raspi-config nonint "get_$bus")" != 0 ]; then
            run raspi-config nonint "do_$bus" 0
            done_so "$bus switched on"
        fi
    done
}

# -- one version

previous_release() {
    [ ! -L "$CURRENT" ] || readlink -f "$CURRENT"
}

# Packages beside which the system's picamera2 goes on working.
constraints() {
    /usr/bin/python3 -c 'import sys; sys.exit(sys.version_info >= (3, 13))' || return 0
    cat "$SOURCE/systemd/bookworm.txt"
}

# Open to all, also where they were made before.
make_folders() {
    run install -d -m 0755 "$HOME_FOLDER" "$RELEASES"
}

# Makes the virtual environment of this version in $release. The system's picamera2 and lgpio shine through.
make_release() {
    local options=(--quiet --disable-pip-version-check --no-input)
    [ -z "$wheels" ] || options+=(--no-index --find-links "$wheels")
    make_folders
    run /usr/bin/python3 -m venv --system-site-packages "$release"
    if [ "$dry_run" = yes ]; then
        say "would run: $release/bin/pip install ${options[*]} $SOURCE"
        return 0
    fi
    constraints >"$release/constraints.txt"
    cp "$SOURCE/systemd/companion.service" "$release/companion.service"
    (
        built=$(mktemp -d) || exit # pip leaves files beside what it builds
        trap 'rm -rf "$built"' EXIT
        cp -r "$SOURCE"/{pyproject.toml,README.md,LICENSE,companion,hardware,calibration} "$built" &&
            "$release/bin/pip" install "${options[@]}" --constraint "$release/constraints.txt" "$built" &&
            "$release/bin/companion" --version >/dev/null
    )
}

# A package may hold instructions that this processor lacks: it ends whoever loads it. OpenCV does without ONNX Runtime.
try_reading() {
    if [ "$dry_run" = yes ]; then
        say "would try: whether dice can be read"
        return 0
    fi
    ! reads_dice || return 0
    "$release/bin/pip" uninstall --quiet --yes onnxruntime &&
        reads_dice &&
        say "note: ONNX Runtime does not run on this processor; OpenCV reads dice without it, in three times the time"
}

reads_dice() {
    "$release/bin/python" -I -m companion.vision.bench.trial
}

write_config() {
    if [ -e "$CONFIG" ]; then
        say "kept: $CONFIG"
        return 0
    fi
    run mkdir -p "$(dirname "$CONFIG")"
    if [ "$dry_run" = yes ]; then
        say "would write: $CONFIG (every key with its default, commented out)"
        return 0
    fi
    "$release/bin/companion" config example >"$CONFIG.new"
    on_disk "$CONFIG.new"
    mv "$CONFIG.new" "$CONFIG"
    done_so "$CONFIG: choose your hardware there (preset)"
}

# Puts a file in place, with the mode $3 or readable for all, if it differs from what is there.
place() {
    local from=$1 to=$2
    cmp -s "$from" "$to" && return 0
    run install -D -m "${3:-0644}" "$from" "$to"
    done_so "$to"
}

write_rules() {
    place "$SOURCE/systemd/companion-farewell" "$LAST_WORD" 0755
    place "$SOURCE/systemd/60-companion-ring.rules" "$UDEV_RULE"
    place "$SOURCE/systemd/50-companion-power.rules" "$POLKIT_RULE"
    if command -v udevadm >/dev/null; then
        run udevadm control --reload || true
        run udevadm trigger --subsystem-match=tty || true
    fi
}

# What a system lacks, or has built in, cannot be loaded and need not be.
load_modules() {
    local module
    place "$SOURCE/systemd/companion-modules.conf" "$MODULES"
    command -v modprobe >/dev/null || return 0
    while read -r module; do
        run modprobe --quiet "$module" || true
    done < <(grep -v '^#' "$SOURCE/systemd/companion-modules.conf")
}

# So that people can type `companion`, also after sudo; what else lies there is left alone.
link_program() {
    local to=$CURRENT/bin/companion
    [ "$(readlink "$PROGRAM")" != "$to" ] || return 0
    if [ -e "$PROGRAM" ] || [ -L "$PROGRAM" ]; then
        say "note: $PROGRAM is something else and stays; the companion is $to"
        return 0
    fi
    run ln -s "$to" "$PROGRAM"
    done_so "$PROGRAM"
}

unlink_program() {
    [ "$(readlink "$PROGRAM")" = "$CURRENT/bin/companion" ] || return 0
    run rm "$PROGRAM"
    done_so "removed $PROGRAM"
}

# Has the disk below $1 hold all that was written to it: a pulled plug must find whole what a name points to.
on_disk() {
    run sync -f "$1"
}

# Makes $1 the version that runs; true if it comes up and stays up.
run_release() {
    local unit=$1/companion.service
    [ -f "$unit" ] || unit=$SOURCE/systemd/companion.service
    on_disk "$1" &&
        run ln -sfn "$1" "$CURRENT.new" &&
        run mv -T "$CURRENT.new" "$CURRENT" &&
        on_disk "$HOME_FOLDER" &&
        place "$unit" "$UNIT" &&
        run systemctl daemon-reload || return 1
    run systemctl reset-failed companion.service 2>/dev/null || true
    run systemctl --quiet enable companion.service || return 1
    run systemctl restart companion.service && stays_up
}

# Ready was said, and neither a crash nor the watchdog ended it since.
stays_up() {
    [ "$dry_run" = no ] || return 0
    local since
    since=$(systemctl show --property=ActiveEnterTimestampMonotonic companion.service)
    say "it is ready; whether it stays up for $HEALTHY_S s is seen"
    sleep "$HEALTHY_S"
    systemctl --quiet is-active companion.service &&
        [ "$(systemctl show --property=ActiveEnterTimestampMonotonic companion.service)" = "$since" ]
}

why_not() {
    journalctl --unit companion.service --lines 15 --no-pager --output cat 2>/dev/null || true
}

go_back() {
    local before=$1
    say "the new version did not come up healthy:"
    why_not
    if [ -z "$before" ]; then
        run systemctl --quiet disable --now companion.service || true
        fail "there is no version before it to go back to. Its folder $release is kept; see: journalctl -u companion"
    fi
    if run_release "$before"; then
        run rm -rf "$release"
        fail "went back to $(basename "$before"), which runs; nothing was lost"
    fi
    fail "went back to $(basename "$before"), which does not come up either; see: journalctl -u companion"
}

# Keeps the running version and the one before it.
tidy() {
    local before=$1 folder
    for folder in "$RELEASES"/*; do
        if [ -d "$folder" ] && ! [ "$folder" -ef "$release" ] && ! [ "$folder" -ef "$before" ]; then
            run rm -rf "$folder"
        fi
    done
}

# -- the three ways to use it

install_or_upgrade() {
    local before version release
    before=$(previous_release)
    [ "$action" = install ] || [ -n "$before" ] || fail "nothing is installed; install it without --upgrade"
    version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' "$SOURCE/companion/__init__.py")
    release=$RELEASES/$version-$(date +%Y%m%d%H%M%S)
    install_packages
    make_user
    switch_buses_on
    make_release || give_up "the Python packages could not be installed" "$before"
    try_reading || give_up "no dice can be read with these packages" "$before"
    write_config
    check_config
    write_rules
    load_modules
    run_release "$release" || go_back "$before"
    link_program
    tidy "$before"
    done_so "$(basename "$release") runs"
}

give_up() {
    run rm -rf "$release"
    fail "$1; the service is as it was${2:+, $(basename "$2") runs on}$(so_far)"
}

# What was done to the system before is needed the next time, too.
so_far() {
    local one all=
    for one in "${changed[@]}"; do all+="${all:+, }${one%%: *}"; done
    printf '%s' "${all:+. This was done and stays: $all}"
}

check_config() {
    [ "$dry_run" = yes ] || "$release/bin/companion" config check "$CONFIG" || {
        rm -rf "$release"
        fail "the configuration has mistakes; mend them and run this again. The service is as it was$(so_far)"
    }
}

uninstall() {
    local file
    unlink_program
    [ ! -e "$UNIT" ] || run systemctl --quiet disable --now companion.service || true
    for file in "$UNIT" "$UDEV_RULE" "$POLKIT_RULE" "$LAST_WORD" "$MODULES" "$HOME_FOLDER"; do
        [ -e "$file" ] || continue
        run rm -rf "$file"
        done_so "removed $file"
    done
    run systemctl daemon-reload
    say "kept: $STATE (games, calibrations), $CONFIG, the user companion."
    say "To remove them as well: sudo rm -r $STATE /etc/companion; sudo userdel companion"
}

# Its folder is closed to others, and what the service uses cannot be tried beside it.
say_what_next() {
    say "look at it with: systemctl status companion"
    say "try every part and button with: sudo systemctl stop companion; sudo -u companion companion doctor --press"
}

main() {
    read_options "$@"
    check_machine
    if [ "$action" = uninstall ]; then uninstall; else install_or_upgrade; fi
    [ "$dry_run" = no ] || {
        say "nothing was done"
        return 0
    }
    say "done:"
    [ ${#changed[@]} -eq 0 ] || printf '  %s\n' "${changed[@]}"
    [ "$action" = uninstall ] || say_what_next
}

main "$@"
