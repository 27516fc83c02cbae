import { createHmac } from 'node:crypto'

const STEP_MS = 30_000
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const presentStep = (): number => Math.floor(Date.now() / STEP_MS)

/** An authenticator app that returns the codes of RFC 6238, each code only once. */
export class Authenticator {
  readonly #key: Buffer
  #lastStep = -1

  /** `secret` is in Base32, as the server shows it. */
  constructor(secret: string) {
    const bits = [...secret.replace(/\s/g, '')]
      .map((digit) => BASE32.indexOf(digit).toString(2).padStart(5, '0'))
      .join('')
    this.#key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  }

  /**
   * Returns a code that was not used yet: the current code or the next one, which the server accepts as well. Throws if
   * both were used.
   */
  next(): string {
    const present = presentStep()
    const step = Math.max(this.#lastStep + 1, present)
    if (step > present + 1) throw new Error('There is no further code at this time.')
    this.#lastStep = step
    return this.#codeOf(step)
  }

  /** Returns six digits that are not valid now and during the next steps. */
  wrong(): string {
    const present = presentStep()
    const shown = [-1, 0, 1, 2, 3].map((ahead) => this.#codeOf(present + ahead))
    return (
      ['123456', '234567', '345678', '456789', '567890', '678901'].find((code) => !shown.includes(code)) ?? ''
    )
  }

  #codeOf(step: number): string {
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(step))
    const mac = createHmac('sha1', this.#key).update(counter).digest()
    const offset = (mac.at(-1) ?? 0) & 0x0f
    return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
  }
}
