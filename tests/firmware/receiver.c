/* A board with the ring's firmware in simavr, and a strip of WS2812 on PD6 that is strict about its timing.
 *
 *   receiver ring.elf
 *
 * Each line of input, "MICROSECONDS HEX", is answered by one line of output: the bytes in HEX (or "-") begin to arrive
 * at the UART now, one after the other as fast as 115200 baud allows, and the board runs for so long. The answer is
 * "OVERRUNS FAULTS SAID FRAMES": bytes lost because the board did not fetch them, pulses that no WS2812 has to
 * understand, what the board sent (HEX or "-"), and the frames that were latched ("-", or HEX separated by commas, in
 * the order red, green, blue).
 */

#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MHZ = 16,
    BYTE_CYCLES = 16000000 / 11520, /* start, eight bits, stop */
    UNREAD = 3,                     /* two whole bytes in the ATmega's buffer and one in its shift register */
    LATCH = 50 * MHZ,               /* low for so long shows what came in; newer LEDs want 280 µs */
    MOST = 1 << 16,
};

/* WS2812B data sheet, with its ±150 ns, in cycles of 62.5 ns */
static const unsigned ZERO[2] = {4, 8}, ONE[2] = {10, 16}, PERIOD[2] = {18, 60};

static avr_t *avr;
static avr_uart_t *uart;
static uint8_t arriving[MOST], said[MOST], strip[MOST];
static unsigned arriving_count, arrived, said_count, bits, overruns, faults;
static avr_cycle_count_t next_byte, rose, fell;
static char *frames;
static size_t frames_room, frames_length;

static void keep_frame(void)
{
    size_t need = frames_length + 2 * (bits / 8) + 2;

    if (need > frames_room && !(frames = realloc(frames, frames_room = 2 * need)))
        exit(1);
    if (frames_length)
        frames[frames_length++] = ',';
    for (unsigned led = 0; led + 2 < bits / 8; led += 3)
        frames_length += sprintf(frames + frames_length, "%02x%02x%02x", strip[led + 1], strip[led], strip[led + 2]);
    faults += bits % 24 != 0;
    bits = 0;
}

static void on_pin(avr_irq_t *irq, uint32_t level, void *unused)
{
    avr_cycle_count_t now = avr->cycle, high = now - rose;

    (void)irq, (void)unused;
    if (level) {
        if (bits && now - fell >= LATCH)
            keep_frame();
        else if (bits && (now - rose < PERIOD[0] || now - rose > PERIOD[1]))
            faults++;
        rose = now;
        return;
    }
    fell = now;
    if (!rose)
        return; /* the pin became an output */
    unsigned one = high >= ONE[0];
    faults += one ? high > ONE[1] : high < ZERO[0] || high > ZERO[1];
    if (bits < 8 * MOST) {
        strip[bits / 8] = (uint8_t)(strip[bits / 8] << 1 | one);
        bits++;
    }
}

static void on_said(avr_irq_t *irq, uint32_t byte, void *unused)
{
    (void)irq, (void)unused;
    if (said_count < MOST)
        said[said_count++] = (uint8_t)byte;
}

static void arrive(void)
{
    if (arrived == arriving_count || avr->cycle < next_byte)
        return;
    next_byte += BYTE_CYCLES;
    uart->cycles_per_byte = 1; /* simavr would count a byte from when the one before was fetched: real lines do not wait */
    unsigned unread = (uart->input.write - uart->input.read) % uart_fifo_fifo_size;
    if (unread >= UNREAD)
        overruns++;
    else
        avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), arriving[arrived]);
    arrived++;
}

static void put_hex(const uint8_t *bytes, unsigned count)
{
    if (!count)
        putchar('-');
    for (unsigned i = 0; i < count; i++)
        printf("%02x", bytes[i]);
}

static void take(const char *hex)
{
    memmove(arriving, arriving + arrived, arriving_count - arrived);
    arriving_count -= arrived;
    arrived = 0;
    if (!arriving_count)
        next_byte = avr->cycle + BYTE_CYCLES;
    for (unsigned byte; sscanf(hex, "%2x", &byte) == 1 && arriving_count < MOST; hex += 2)
        arriving[arriving_count++] = (uint8_t)byte;
}

static void run(unsigned long microseconds)
{
    avr_cycle_count_t end = avr->cycle + (avr_cycle_count_t)microseconds * MHZ;

    while (avr->cycle < end) {
        arrive();
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed)
            exit(2);
    }
    if (bits && avr->cycle - fell >= LATCH)
        keep_frame();
}

static void answer(void)
{
    printf("%u %u ", overruns, faults);
    put_hex(said, said_count);
    printf(" %.*s\n", frames_length ? (int)frames_length : 1, frames_length ? frames : "-");
    fflush(stdout);
    overruns = faults = said_count = 0;
    frames_length = 0;
}

int main(int count, char **words)
{
    static char line[2 * MOST + 32], hex[2 * MOST + 1];
    elf_firmware_t firmware = {0};
    unsigned long microseconds;
    uint32_t flags = 0;

    if (count != 2 || elf_read_firmware(words[1], &firmware))
        return 1;
    firmware.frequency = MHZ * 1000000;
    if (!(avr = avr_make_mcu_by_name("atmega328p")))
        return 1;
    avr_init(avr);
    avr_load_firmware(avr, &firmware);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "uart"))
            uart = (avr_uart_t *)io;
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_said, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 6), on_pin, NULL);
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%lu %131072s", &microseconds, hex) != 2)
            return 1;
        take(strcmp(hex, "-") ? hex : "");
        run(microseconds);
        answer();
    }
    return 0;
}
