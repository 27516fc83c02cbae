import { expect, it } from 'vitest'
import { LARGE_GCODE_LIMITS, largeFiles, readLargeGcode } from './large-gcode.ts'

const SIZE_BYTES = 12_000_000

const files = largeFiles(SIZE_BYTES)

it.each(Object.keys(files).filter((name) => name.includes('picture')))(
  'reading large G-code takes little memory, and finds the figures at its end: %s',
  async (name) => {
    const { grams, readBytes, mostBufferBytes } = await readLargeGcode(files[name]!)
    expect(grams).toBe(18.32)
    expect(readBytes).toBeLessThan(LARGE_GCODE_LIMITS.readBytes)
    expect(mostBufferBytes).toBeLessThan(LARGE_GCODE_LIMITS.mostBufferBytes)
  },
)

it('a QOI picture that claims more pixels than its bytes can hold takes no memory for them', async () => {
  const { grams, pictures, mostBufferBytes } = await readLargeGcode(files['QOI pictures without pixels']!)
  expect([grams, pictures]).toEqual([18.32, 0])
  // The pixels of one such picture would take 16 MB.
  expect(mostBufferBytes).toBeLessThan(8_000_000)
})
