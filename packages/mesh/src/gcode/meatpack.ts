import { LINE_FEED } from '../char-codes.ts'

/** The fifteen characters that a half byte can stand for. The sixteenth value means that a whole byte follows. */
const CHARACTERS = [...'0123456789. \nGX'].map((letter) => letter.charCodeAt(0))
const SPACE_INDEX = 11
const LETTER_E = 0x45
const WHOLE = 0xf
const SIGNAL = 0xff

const ENABLE_PACKING = 0xfb
const DISABLE_PACKING = 0xfa
const RESET = 0xf9
const ENABLE_NO_SPACES = 0xf7
const DISABLE_NO_SPACES = 0xf6

/**
 * Unpacks MeatPack, which packs two characters of binary G-code into one byte. The state is kept between calls of
 * `push`.
 */
export function createMeatpackReader(): { push(packed: Uint8Array): Uint8Array<ArrayBuffer> } {
  let isPacked = false
  let hasSpaces = true
  let signals = 0
  let isCommand = false
  /**
   * `whole` is the number of unpacked bytes that still follow. `held` is the packed character that comes after the
   * first of them.
   */
  let whole = 0
  let held = 0

  const characterOf = (half: number): number =>
    half === SPACE_INDEX && !hasSpaces ? LETTER_E : CHARACTERS[half]!

  function obey(command: number) {
    if (command === ENABLE_PACKING) isPacked = true
    else if (command === DISABLE_PACKING) isPacked = false
    else if (command === ENABLE_NO_SPACES) hasSpaces = false
    else if (command === DISABLE_NO_SPACES) hasSpaces = true
    else if (command === RESET) isPacked = false
  }

  return {
    push(packed) {
      const out = new Uint8Array(2 * packed.length + 4)
      let length = 0

      function read(byte: number) {
        if (!isPacked) {
          out[length++] = byte
          return
        }
        if (whole > 0) {
          out[length++] = byte
          if (held > 0) out[length++] = held
          held = 0
          whole--
          return
        }
        const [first, second] = [byte & WHOLE, byte >> 4]
        if (first === WHOLE) {
          whole = second === WHOLE ? 2 : 1
          held = second === WHOLE ? 0 : characterOf(second)
          return
        }
        const character = characterOf(first)
        out[length++] = character
        // If the first half is a line end, the second half has no meaning.
        if (character === LINE_FEED) return
        if (second === WHOLE) whole = 1
        else out[length++] = characterOf(second)
      }

      for (const byte of packed) {
        if (byte === SIGNAL) {
          if (signals === 1) isCommand = true
          signals = signals === 1 ? 0 : 1
          continue
        }
        if (isCommand) {
          obey(byte)
          isCommand = false
          continue
        }
        if (signals > 0) read(SIGNAL)
        signals = 0
        read(byte)
      }
      return out.subarray(0, length)
    },
  }
}
