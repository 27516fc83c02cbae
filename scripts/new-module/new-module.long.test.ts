import { expect, it } from 'vitest'
import { generateModule } from './generated-module.ts'

it('new:module writes a module that compiles with the whole repository and passes lint, format and its own tests', async () => {
  const { node } = await generateModule()
  await node('node_modules/typescript/bin/tsc', '-b', '--noEmit', '.', 'scripts')
  await node('node_modules/oxlint/bin/oxlint', '--deny-warnings')
  await node('node_modules/@biomejs/biome/bin/biome', 'ci', '.')
  const tests = ['apps/server/src/modules/packing-stations', 'apps/server/test/surface/endpoints']
  const { stdout } = await node('node_modules/vitest/vitest.mjs', 'run', '--project', 'integration', ...tests)
  expect(stdout).toMatch(/Tests .*passed/)
})
