import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { cleanEnvironment } from './environment.ts'
import { startAtFreePort } from './first-free-port.ts'
import { staticSteps } from './static-steps.ts'
import { countPlaywright, countVitest, listPlaywrightFailures } from './test-steps.ts'

it('the tests do not inherit environment variables that configure the server', () => {
  const caller = {
    PATH: '/bin',
    HOME: '/root',
    PORT: '80',
    HOST: '0.0.0.0',
    DATA_DIR: '/data',
    DATABASE_URL: 'x',
    NODE_ENV: 'production',
    CI: 'true',
    FUZZ_RUNS: '9',
  }
  expect(cleanEnvironment({ EXTRA: '1' }, caller)).toEqual({
    PATH: '/bin',
    HOME: '/root',
    CI: 'true',
    FUZZ_RUNS: '9',
    EXTRA: '1',
  })
})

it('the test summary counts a skipped test as a failed one', () => {
  const said = vi.spyOn(console, 'error').mockReturnValue()
  expect(countVitest('{"numPassedTests":5,"numFailedTests":1,"numPendingTests":1,"numTodoTests":1}')).toEqual(
    { passed: 5, failed: 3 },
  )
  expect(countPlaywright('{"stats":{"expected":5,"unexpected":2,"skipped":1}}')).toEqual({
    passed: 5,
    failed: 3,
  })
  expect(said).toHaveBeenCalledWith('2 skipped: tests must not be skipped, so they count as failed')
})

it('the test summary names each failed browser test with its error', () => {
  const spec = (title: string, errors: object[]) => ({
    file: 'models.spec.ts',
    line: 42,
    title,
    tests: [{ projectName: 'phone', results: [{ errors }] }],
  })
  const report = {
    suites: [
      {
        specs: [spec('a model can be turned', [])],
        suites: [
          { specs: [spec('a model can be found', [{ message: '\u001B[31mError:\u001B[39m no model' }])] },
        ],
      },
    ],
  }
  expect(listPlaywrightFailures(JSON.stringify(report))).toEqual([
    '[phone] models.spec.ts:42 a model can be found\nError: no model',
  ])
})

it('lint and format check only changed files, unless a change affects all files', () => {
  const argsOf = (name: string, files: string[] | null) =>
    staticSteps(files)
      .find((step) => step.name === name)
      ?.args?.slice(2)
  expect(argsOf('lint', null)).toEqual(['.'])
  expect(argsOf('lint', ['apps/web/src/main.tsx', 'README.md'])).toEqual(['apps/web/src/main.tsx'])
  expect(argsOf('lint', ['README.md'])).toBeUndefined()
  expect(argsOf('format', ['README.md'])).toEqual(['--no-errors-on-unmatched', 'README.md'])
  for (const file of ['package.json', 'apps/web/tsconfig.json', '.oxlintrc.json', 'scripts/lint/zones.ts'])
    expect(argsOf('lint', [file, 'apps/web/src/main.tsx'])).toEqual(['.'])
})

it('startAtFreePort uses another port only if the given ports are in use, and throws any other error', async () => {
  const start = async (port: number) => {
    const server = createServer()
    await once(server.listen({ host: '127.0.0.1', port }), 'listening')
    onTestFinished(() => void server.close())
    return (server.address() as AddressInfo).port
  }
  const taken = await start(0)
  const other = await startAtFreePort([taken], start)
  expect([other === taken, other > 0]).toEqual([false, true])
  const free = await start(0).then((port) => port)
  expect(await startAtFreePort([taken, free, other], start)).not.toBe(taken)
  await expect(startAtFreePort([70_000], start)).rejects.toThrow(/port/i)
})
