/* Adalight receiver for boards with an ATmega328P at 16 MHz (Uno, Nano): WS2812 LEDs on PD6 (pin 6), for those
 * without WLED.
 *
 *   avr-gcc -std=c99 -mmcu=atmega328p -DF_CPU=16000000UL -Os -Wall -o ring.elf ring.c
 *   avr-objcopy -O ihex -R .eeprom ring.elf ring.hex
 *   avrdude -p atmega328p -c arduino -P /dev/ttyACM0 -b 115200 -U flash:w:ring.hex
 *   (a Nano with the old bootloader: -P /dev/ttyUSB0 -b 57600)
 *
 * It takes frames at 115200 baud: "Ada", high and low byte of one less than the LED count, their exclusive or with
 * 0x55, then red, green, blue for each LED. Outside of a frame it answers "v" with its name. While it drives the LEDs,
 * 32 µs each, it hears nothing: the sender leaves that time between frames. A frame that stops for 100 ms is dropped,
 * and after 10 s without any the LEDs go dark, also those that were lit before a reset.
 */

#include <avr/io.h>
#include <avr/pgmspace.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef DARK_S
#define DARK_S 10
#endif

enum {
    MOST_LEDS = 512,           /* 1536 of the 2048 bytes of RAM; of longer frames the rest is passed over */
    TICKS_PER_S = 15625,       /* of timer 1: 16 MHz / 1024 */
    PAUSE_TICKS = TICKS_PER_S / 10,
};

static const char GREETING[] PROGMEM = "companion ring 1\n";
static uint8_t colours[3 * MOST_LEDS]; /* green, red, blue, as the LEDs take them */
static uint16_t lit = MOST_LEDS;       /* LEDs that may be lit now: at first any, as before the reset */

static void open_all(void)
{
    DDRD |= _BV(PD6);
    PORTD &= (uint8_t)~_BV(PD6);
    UCSR0A = _BV(U2X0);
    UBRR0 = 16; /* 117647 baud, 2.1 % off, which ten bits bear */
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0);
    TCCR1B = _BV(CS12) | _BV(CS10);
}

static void say(const char *text)
{
    for (char letter; (letter = (char)pgm_read_byte(text)); text++) {
        while (!(UCSR0A & _BV(UDRE0)))
            ;
        UDR0 = (uint8_t)letter;
    }
}

/* No interrupt is ever on, so nothing disturbs the pulses. At 62.5 ns a cycle, a bit takes 20, of which the line is high
 * for 6 (a zero) or 13 (a one). */
static void drive(const uint8_t *byte, uint16_t count)
{
    uint8_t high = PORTD | _BV(PD6), low = PORTD & (uint8_t)~_BV(PD6);
    uint8_t level, value, bits;

    while (count--) {
        value = *byte++;
        __asm__ volatile(
            "ldi  %[bits], 8        \n"
            "1:                     \n"
            "out  %[port], %[high]  \n" /* rises */
            "mov  %[level], %[low]  \n"
            "sbrc %[value], 7       \n"
            "mov  %[level], %[high] \n"
            "lsl  %[value]          \n"
            "nop                    \n"
            "out  %[port], %[level] \n" /* 6 cycles later: falls for a zero */
            "rjmp .+0               \n"
            "rjmp .+0               \n"
            "rjmp .+0               \n"
            "out  %[port], %[low]   \n" /* 13 cycles later: falls for a one */
            "nop                    \n"
            "rjmp .+0               \n"
            "dec  %[bits]           \n"
            "brne 1b                \n"
            : [level] "=&r"(level), [value] "+r"(value), [bits] "=&d"(bits)
            : [port] "I"(_SFR_IO_ADDR(PORTD)), [high] "r"(high), [low] "r"(low));
    }
}

static void darken(void)
{
    for (uint16_t i = 0; i < 3 * lit; i++)
        colours[i] = 0;
    drive(colours, 3 * lit);
    lit = 0;
}

/* Waits for a byte between frames, as long as it takes. */
static uint8_t next(void)
{
    uint8_t seconds = 0;

    TCNT1 = 0;
    while (!(UCSR0A & _BV(RXC0))) {
        if (TCNT1 < TICKS_PER_S)
            continue;
        TCNT1 = 0;
        if (seconds < DARK_S && ++seconds == DARK_S)
            darken();
    }
    return UDR0;
}

/* A byte inside a frame; false if none comes. */
static bool soon(uint8_t *byte)
{
    TCNT1 = 0;
    while (!(UCSR0A & _BV(RXC0)))
        if (TCNT1 >= PAUSE_TICKS)
            return false;
    *byte = UDR0;
    return true;
}

/* What follows an "A"; the number of LEDs that are announced, or 0. */
static uint16_t header(void)
{
    uint8_t d, a, high, low, check;

    if (!soon(&d) || d != 'd' || !soon(&a) || a != 'a')
        return 0;
    if (!soon(&high) || !soon(&low) || !soon(&check) || check != (high ^ low ^ 0x55))
        return 0;
    return (uint16_t)((high << 8 | low) + 1);
}

static bool payload(uint16_t leds)
{
    static const uint8_t PLACE[3] = {1, 0, 2}; /* of red, green, blue */
    uint8_t value;

    for (uint16_t led = 0; led < leds; led++)
        for (uint8_t part = 0; part < 3; part++) {
            if (!soon(&value))
                return false;
            if (led < MOST_LEDS)
                colours[3 * led + PLACE[part]] = value;
        }
    return true;
}

int main(void)
{
    open_all();
    say(GREETING);
    for (;;) {
        uint8_t byte = next();

        if (byte == 'v')
            say(GREETING);
        if (byte != 'A')
            continue;
        uint16_t leds = header();
        if (leds && payload(leds)) {
            uint16_t shown = leds < MOST_LEDS ? leds : MOST_LEDS;

            lit = shown > lit ? shown : lit;
            drive(colours, 3 * shown);
        }
    }
}
