import { expect, it } from 'vitest'
import { createAccessWorld, findWrongAnswers } from './access-rules.ts'
import { uncheckedKinds } from './callers.ts'

it('T1 T2 T42 every kind of caller gets the expected answer from every kind of endpoint', async () => {
  const { wrong, checks } = await findWrongAnswers(await createAccessWorld())
  console.info(`Access rules: wrong answers ${wrong.length} of ${checks}`)
  expect(wrong).toEqual([])
})

it('the access rules are checked with at least one endpoint for each kind of access in the access table', () => {
  expect(uncheckedKinds()).toEqual([])
})
