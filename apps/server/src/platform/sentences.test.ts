import { expect, it } from 'vitest'
import { endSentence, joinSentences } from './sentences.ts'

it.each([
  ['No space left on device', 'No space left on device.'],
  ['The bed is full.', 'The bed is full.'],
  ['Is the door open?', 'Is the door open?'],
  ['Wait…', 'Wait…'],
  ['The printer says "Stop!"', 'The printer says "Stop!"'],
  ['Bed (60 °C) ', 'Bed (60 °C).'],
  ['', ''],
])('the text %j before a sentence becomes %j', (text, ended) => {
  expect(endSentence(text)).toBe(ended)
})

it('joined texts are separated by full stops, and the last text stays unchanged', () => {
  expect(joinSentences(['Warped', null, 'The spool is empty.', undefined, '', 'Later'])).toBe(
    'Warped. The spool is empty. Later',
  )
  expect(joinSentences([null, ''])).toBeNull()
})
