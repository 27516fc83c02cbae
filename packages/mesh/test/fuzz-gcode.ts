import { createMemorySource } from '../src/byte-source.ts'
import { readSlicedFile } from '../src/gcode/read-sliced-file.ts'
import { BAMBU_GCODE, bgcodeFile, gcode3mf, prusaGcode } from './gcode-tools.ts'
import { mutate } from './mutate.ts'
import { seededRandom } from './stl-tools.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const SEEDS = [encode(prusaGcode()), encode(BAMBU_GCODE), bgcodeFile(), gcode3mf(), gcode3mf([], false)]
const SENTENCE = /^[A-Z"].{15,}[.)]$/s
const SLOW_MS = 2000
const MAX_FAULTS = 10

/** Reads `runs` damaged sliced files and collects the violations. The same seed results in the same files. */
export async function fuzzGcode(runs: number, seed: number) {
  const random = seededRandom(seed)
  const pick = (limit: number) => Math.floor(random() * limit)
  const report = { accepted: 0, slowestMs: 0, faults: [] as string[] }
  for (let run = 0; run < runs && report.faults.length < MAX_FAULTS; run++) {
    const bytes = mutate(SEEDS[pick(SEEDS.length)]!, SEEDS[pick(SEEDS.length)]!, pick)
    const before = process.threadCpuUsage()
    const fault = await faultOf(bytes, report).catch((error: unknown) => String(error))
    const { user, system } = process.threadCpuUsage(before)
    const tookMs = (user + system) / 1000
    report.slowestMs = Math.max(report.slowestMs, tookMs)
    if (fault !== null) report.faults.push(`run ${run} of seed ${seed}: ${fault}`)
    if (tookMs > SLOW_MS) report.faults.push(`run ${run} of seed ${seed} took ${tookMs} ms`)
  }
  return report
}

async function faultOf(bytes: Uint8Array, report: { accepted: number }): Promise<string | null> {
  const verdict = await readSlicedFile(createMemorySource(bytes))
  if (!verdict.ok) return SENTENCE.test(verdict.message) ? null : `says ${verdict.message}`
  report.accepted++
  for (const { tools, grams, metres, minutes, nozzleMm, layers, pieces, notes } of verdict.plates) {
    const numbers = [
      grams,
      metres,
      minutes,
      nozzleMm,
      layers,
      pieces,
      ...tools.flatMap((tool) => [tool.grams, tool.metres]),
    ]
    if (numbers.some((each) => each !== null && !(Number.isFinite(each) && each >= 0)))
      return `gives ${numbers.join()}`
    if (tools.length === 0 || tools.length > 64) return `gives ${tools.length} tools`
    if (!notes.every((note) => SENTENCE.test(note))) return `notes ${notes.join()}`
  }
  return null
}
