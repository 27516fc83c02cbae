import type { Slice } from '@pegasus/contracts/slices/slices'
import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { PlatesChoice } from './plates-choice.tsx'

const PLATE = {
  id: 'plate',
  stl_file_id: 'model',
  stl_version: 1,
  sha256: 'a',
  file_name: 'dragon.gcode.3mf',
  plate: 1,
  plates: 2,
  pieces: 1,
  grams: 10,
  minutes: 30,
  needs_all_plates: false,
  revision: 1,
} as unknown as Slice

const browserFetch = window.fetch
afterEach(() => {
  window.fetch = browserFetch
})

it('the answer about the plates is shown and keeps the focus while it is saved', async () => {
  const saved = Promise.withResolvers<Response>()
  let requests = 0
  window.fetch = () => {
    requests += 1
    return saved.promise
  }
  await render(
    <Providers>
      <PlatesChoice slice={PLATE} slices={[PLATE]} canChange />
    </Providers>,
  )
  const question = page.getByRole('combobox')
  ;(question.element() as HTMLSelectElement).focus()
  await question.selectOptions('all')
  await expect.poll(() => requests).toBe(1)
  // The browser takes the focus from a disabled element when it paints.
  await new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve))
  })
  await expect.element(question).toHaveValue('all')
  await expect.element(question).toHaveFocus()
  saved.resolve(Response.json({ ...PLATE, needs_all_plates: true }))
})
