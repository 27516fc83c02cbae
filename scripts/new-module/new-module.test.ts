import { expect, it } from 'vitest'
import { generateModule } from './generated-module.ts'

// The long test compiles the whole repository, lints the module and runs its tests.
it('new:module writes a module that compiles with the contracts and the server', async () => {
  const node = await generateModule()
  const projects = ['packages/contracts', 'apps/server']
  const { stdout } = await node('node_modules/typescript/bin/tsc', '-b', '--noEmit', ...projects)
  expect(stdout).toBe('')
})
