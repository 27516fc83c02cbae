import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { type Mutant, addMutants } from '../../../../scripts/lib/add-mutants.ts'

/** The files that decide who may do what. */
const FILES = [
  'packages/contracts/src/roles.ts',
  'apps/server/src/modules/auth/sessions/guard.ts',
  'apps/server/src/modules/api-keys/api-keys.policy.ts',
  'apps/server/src/modules/api-keys/key-guard.service.ts',
  'apps/server/src/modules/api-keys/service-keys/service-key-guard.ts',
]
const ROOT = new URL('../../../..', import.meta.url)
const MIN_KILLED = 0.95
/**
 * Parts of lines whose changes have no effect on access. They write or count audit entries, or set flags that people
 * see, or a later check refuses the same call.
 */
const WITHOUT_EFFECT = [
  'permission) => [permission, true]',
  'takeUseTurn(',
  "action === 'service_key.used'",
  'wasRefusedLately(',
  "people === undefined || people === 'nobody'",
  'if (hostedKey !== undefined)',
  'if (token === undefined)',
  "if (typeof access !== 'object') return",
]
/** After this many mutants, the unchanged code is checked again. */
const CHECK_EVERY = 25

declare global {
  var activeMutant: number | undefined
}

it('T15 the access rules notice at least 95 % of the mutations in the code that decides about access', async () => {
  const mutants: Mutant[] = []
  const hooks = registerHooks({
    load: (url, context, nextLoad) => {
      const file = FILES.find((each) => new URL(each, ROOT).href === url.split('?')[0])
      if (file === undefined) return nextLoad(url, context)
      const source = addMutants(readFileSync(fileURLToPath(new URL(file, ROOT)), 'utf8'), file, mutants)
      return { format: 'module-typescript', source, shortCircuit: true }
    },
  })
  const { createAccessWorld, findWrongAnswers } = await import('./access-rules/access-rules.ts')
  hooks.deregister()
  const world = await createAccessWorld()
  const check = async () => {
    expect((await findWrongAnswers(world)).wrong).toEqual([])
  }
  await check()
  const survivors: string[] = []
  const effective = mutants.filter(({ change }) => !WITHOUT_EFFECT.some((part) => change.includes(part)))
  for (const { number, place, change } of effective) {
    globalThis.activeMutant = number
    const isKilled = await findWrongAnswers(world, { stopsAtFirst: true }).then(
      ({ wrong }) => wrong.length > 0,
      () => true,
    )
    globalThis.activeMutant = undefined
    if (!isKilled) survivors.push(`${place} ${change}`)
    if (number % CHECK_EVERY === 0) await check()
  }
  await check()
  const killed = effective.length - survivors.length
  console.info(
    `T15 mutants noticed ${killed} of ${effective.length} (${((100 * killed) / effective.length).toFixed(1)} %)\n${survivors.join('\n')}`,
  )
  expect(effective.length).toBeGreaterThan(150)
  expect(killed / effective.length).toBeGreaterThanOrEqual(MIN_KILLED)
})
