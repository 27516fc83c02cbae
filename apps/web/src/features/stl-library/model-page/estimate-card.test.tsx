import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { SlicedPieceCard } from './estimate-card.tsx'

it('the card of a sliced piece shows its weight and time, and the file that states them', async () => {
  const piece = {
    slice_id: 's',
    file_name: 'hook.gcode',
    material: 'PETG',
    grams: 30,
    minutes: 45,
    pieces: 4,
    plates: 1,
  }
  const screen = await render(<SlicedPieceCard piece={piece} />, { wrapper: Providers })
  await expect.element(screen.getByText('from the sliced file')).toBeVisible()
  await expect.element(screen.getByText('45 min')).toBeVisible()
  await expect.element(screen.getByText('30 g')).toBeVisible()
  await expect.element(screen.getByText('PETG')).toBeVisible()
  await expect
    .element(screen.getByText('One piece of hook.gcode, which prints 4 pieces at once.'))
    .toBeVisible()
})
