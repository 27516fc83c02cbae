import { useState } from 'react'
import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../gallery/providers.tsx'
import { Field } from '../ui/forms/field.tsx'
import { EntityPicker, type PickedEntity, usePickerSearch } from './entity-picker.tsx'

const PARTS: readonly PickedEntity[] = ['Wall hook', 'Coat hook', 'Letter tray'].map((name) => ({
  id: name,
  name,
  picture: null,
}))

function PartPicker() {
  const picker = usePickerSearch()
  const [chosen, setChosen] = useState<PickedEntity | null>(null)
  const things = PARTS.filter(({ name }) => name.toLowerCase().includes(picker.search.toLowerCase()))
  return (
    <Field label="Part">
      <EntityPicker
        picker={picker}
        chosen={chosen}
        onChange={setChosen}
        groups={[{ things }]}
        isFound
        nothingFound="No part has this name."
        placeholder="Search parts"
        listLabel="Parts found"
        clearLabel="Remove the part"
      />
    </Field>
  )
}

const show = () =>
  render(
    <Providers>
      <PartPicker />
    </Providers>,
  )

it('a person can select an entity in EntityPicker with the arrow keys and Enter, and can clear the selection', async () => {
  const screen = await show()
  await userEvent.fill(screen.getByRole('combobox', { name: 'Part' }), 'hook')
  await expect.element(screen.getByRole('option', { name: /Coat hook/ })).toBeVisible()
  await expect.element(screen.getByRole('option', { name: /Letter tray/ })).not.toBeInTheDocument()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.element(screen.getByText('Coat hook')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Remove the part' }))
  await expect.element(screen.getByRole('combobox', { name: 'Part' })).toBeVisible()
})

it('EntityPicker shows a message if nothing matches the typed text', async () => {
  const screen = await show()
  await userEvent.fill(screen.getByRole('combobox', { name: 'Part' }), 'unknown')
  await expect.element(screen.getByText('No part has this name.')).toBeVisible()
})
