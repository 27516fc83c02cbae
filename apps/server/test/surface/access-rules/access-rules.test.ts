import { expect, it } from 'vitest'
import { createAccessWorld, findWrongAnswers } from './access-rules.ts'

it('T15 every kind of caller gets the expected answer from every kind of endpoint', async () => {
  const { wrong, checks } = await findWrongAnswers(await createAccessWorld())
  console.info(`T15 wrong answers ${wrong.length} of ${checks}`)
  expect(wrong).toEqual([])
})
