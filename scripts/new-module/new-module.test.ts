import { expect, it } from 'vitest'
import { generateModule } from './generated-module.ts'

// The long run also lints the module and runs its tests.
it('new:module writes a module that compiles with the rest of the project', {
  timeout: 300_000,
}, async () => {
  const node = await generateModule()
  const { stdout } = await node('node_modules/typescript/bin/tsc', '-b', '--noEmit', '.', 'scripts')
  expect(stdout).toBe('')
})
