import { expect, it } from 'vitest'
import { LARGE_GCODE_LIMITS, largeFiles, readLargeGcode } from './large-gcode.ts'

const [SIZE_BYTES, COMMENT_LINES] = [500_000_000, 10_000_000]

const { comments, ...others } = largeFiles(SIZE_BYTES)
const files = {
  ...others,
  [`${COMMENT_LINES} comments`]: { ...comments!, sizeBytes: COMMENT_LINES * comments!.line.length },
}

it.each(Object.entries(files))(
  'reading 500 MB of G-code takes no more time and memory than reading 12 MB: %s',
  async (name, file) => {
    const report = await readLargeGcode(file)
    const { readBytes, mostBufferBytes, cpuMs, grams } = report
    console.log(
      `G-code, ${name}: ${Math.round(cpuMs)} ms, ${Math.round(mostBufferBytes / 1e6)} MB of buffers, ${Math.round(readBytes / 1e6)} MB read`,
    )
    expect(grams).toBe(18.32)
    for (const [key, limit] of Object.entries(LARGE_GCODE_LIMITS))
      expect(report[key as keyof typeof LARGE_GCODE_LIMITS], key).toBeLessThan(limit)
  },
)
