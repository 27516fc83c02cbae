import { expect, it } from 'vitest'
import { LARGE_GCODE_LIMITS, largeFiles, readLargeGcode } from './large-gcode.ts'

const SIZE_BYTES = 12_000_000

const files = largeFiles(SIZE_BYTES)

it.each(['a picture of short lines', 'many pictures'])(
  'reading large G-code takes little memory, and finds the figures at its end: %s',
  async (name) => {
    const { grams, readBytes, mostBufferBytes } = await readLargeGcode(files[name]!)
    expect(grams).toBe(18.32)
    expect(readBytes).toBeLessThan(LARGE_GCODE_LIMITS.readBytes)
    expect(mostBufferBytes).toBeLessThan(LARGE_GCODE_LIMITS.mostBufferBytes)
  },
)
