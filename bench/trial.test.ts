import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
const QUICK = ['serialisation', 'sql', 'http', 'stock', 'orders']
/** The subjects that only the long test run adds. They need neither a browser nor files of hundreds of megabytes. */
const SLOW = ['search', 'years', 'upload', 'replicas', 'soak']
const SUBJECTS = process.env.PEGASUS_LONG === '1' ? [...QUICK, ...SLOW] : QUICK

it('the benchmarks work in a short trial run with little data', { timeout: 600_000 }, async () => {
  const bench = spawn(process.execPath, [MAIN, ...SUBJECTS], {
    env: { ...process.env, BENCH_TRIAL: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(bench, 'exit')
  const [said, complaints] = await Promise.all([text(bench.stdout), text(bench.stderr)])
  expect((await ended)[0], complaints).toBe(0)
  const titles = new Set([...said.matchAll(/^### (\w+):/gm)].map((match) => match[1]))
  expect(SUBJECTS.filter((name) => !titles.has(name))).toEqual([])
})
