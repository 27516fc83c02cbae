import { createHmac } from 'node:crypto'

const STEP_MS = 30_000
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The phone in somebody's hand: codes by RFC 6238, none of them twice. */
export class Authenticator {
  readonly #key: Buffer
  #lastStep = -1

  /** `secret` as it is shown, in Base32. */
  constructor(secret: string) {
    const bits = [...secret.replace(/\s/g, '')]
      .map((digit) => BASE32.indexOf(digit).toString(2).padStart(5, '0'))
      .join('')
    this.#key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  }

  /**
   * A code that has not been used: the one before, the present one, then the next, all of which are taken; a fourth
   * within one step would not be.
   */
  next(): string {
    const present = Math.floor(Date.now() / STEP_MS)
    const step = Math.max(this.#lastStep + 1, present - 1)
    if (step > present + 1) throw new Error('There is no further code at this time.')
    this.#lastStep = step
    return this.#codeOf(step)
  }

  #codeOf(step: number): string {
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(step))
    const mac = createHmac('sha1', this.#key).update(counter).digest()
    const offset = (mac.at(-1) ?? 0) & 0x0f
    return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
  }
}
