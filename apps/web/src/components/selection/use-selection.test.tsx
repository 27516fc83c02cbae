import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../gallery/providers.tsx'
import { Tick } from './tick-column.tsx'
import { useSelection } from './use-selection.ts'

const PARTS = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }))

function Parts({ max }: { max: number }) {
  const selection = useSelection<{ id: string }>('part', max)
  return (
    <>
      <p>{[...selection.things.keys()].join('') || 'none'}</p>
      {PARTS.map((part) => (
        <Tick key={part.id} thing={part} name={part.id} selection={selection} things={PARTS} />
      ))}
    </>
  )
}

const show = async (max: number) => {
  const screen = await render(
    <Providers address="/">
      <Parts max={max} />
    </Providers>,
  )
  const click = (id: string, modifiers: 'Shift'[] = []) =>
    userEvent.click(screen.getByRole('checkbox', { name: `Select ${id}`, exact: true }), { modifiers })
  return { screen, click }
}

it('ticking a row with Shift selects all rows between it and the last ticked row, in both directions', async () => {
  const { screen, click } = await show(10)
  await click('b')
  await click('d', ['Shift'])
  await expect.element(screen.getByText('bcd', { exact: true })).toBeVisible()
  await click('a', ['Shift'])
  await expect.element(screen.getByText('bcda', { exact: true })).toBeVisible()
})

it('ticking a row with Shift selects no more rows than allowed', async () => {
  const { screen, click } = await show(2)
  await click('b')
  await click('e', ['Shift'])
  await expect.element(screen.getByText('bc', { exact: true })).toBeVisible()
})
