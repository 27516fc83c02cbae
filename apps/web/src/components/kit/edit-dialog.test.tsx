import { afterEach, expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ApiError } from '@/lib/http/api-error.ts'
import { Providers } from '../../../gallery/providers.tsx'
import { Field } from '../ui/forms/field.tsx'
import { Input } from '../ui/forms/input.tsx'
import { dismissToast, getShownToast } from '../ui/overlays/toast-store.ts'
import { EditDialog } from './edit-dialog.tsx'

interface Location {
  revision: number
  name: string
  notes: string
}
type Save = (edit: { body: Partial<Location>; revision: number }) => Promise<Location>

const RACK: Location = { revision: 1, name: 'Rack A3', notes: 'Left wall' }
const saveAll: Save = async ({ body, revision }) => ({ ...RACK, ...body, revision: revision + 1 })
const failWith = (status: number, detail: string) => new ApiError({ status, detail, otherwise: detail })

const show = (save: Save, current: Location = RACK) => {
  const onClose = vi.fn<() => void>()
  const screen = render(
    <Providers>
      <EditDialog
        thing={RACK}
        title="Edit location"
        labels={{ name: 'Name', notes: 'Notes' }}
        formOf={({ name, notes }) => ({ name, notes })}
        read={(form, changed) => ({
          body: Object.fromEntries(changed.map((field) => [field, form[field]])) as Partial<Location>,
          errors: null,
        })}
        save={save}
        reread={async () => current}
        savedText={({ name }) => `${name} saved`}
        onClose={onClose}
      >
        {({ form, change, hintOf }) => (
          <>
            <Field label="Name" hint={hintOf('name')}>
              <Input value={form.name} onChange={(event) => change({ name: event.target.value })} />
            </Field>
            <Field label="Notes" hint={hintOf('notes')}>
              <Input value={form.notes} onChange={(event) => change({ notes: event.target.value })} />
            </Field>
          </>
        )}
      </EditDialog>
    </Providers>,
  )
  return { screen, onClose }
}

// Remove the toast, because Escape would otherwise close it instead of the dialog of the next test.
afterEach(() => {
  const shown = getShownToast()
  if (shown) dismissToast(shown.id)
})

it('EditDialog sends only the changed fields and the revision, and then closes', async () => {
  const save = vi.fn<Save>(saveAll)
  const { screen, onClose } = show(save)
  await userEvent.fill((await screen).getByLabelText('Notes'), 'Right wall')
  await userEvent.click((await screen).getByRole('button', { name: 'Save' }))
  await expect.poll(() => onClose.mock.calls.length).toBe(1)
  expect(save).toHaveBeenCalledExactlyOnceWith({ body: { notes: 'Right wall' }, revision: 1 })
})

it('if a save is refused, EditDialog stays open and keeps the typed text', async () => {
  const { screen, onClose } = show(async () => {
    throw failWith(409, 'There is a location with this name.')
  })
  await userEvent.fill((await screen).getByLabelText('Name'), 'Rack A4')
  await userEvent.click((await screen).getByRole('button', { name: 'Save' }))
  await expect.element((await screen).getByText('There is a location with this name.')).toBeVisible()
  await expect.element((await screen).getByLabelText('Name')).toHaveValue('Rack A4')
  expect(onClose).not.toHaveBeenCalled()
})

it('if somebody else saves first, EditDialog keeps the typed text and can save it on top of that change', async () => {
  const save = vi.fn<Save>(async (edit) => {
    if (edit.revision === 1) throw failWith(412, 'Somebody else has changed it.')
    return saveAll(edit)
  })
  const { screen, onClose } = show(save, { revision: 2, name: 'Rack B1', notes: 'Left wall' })
  await userEvent.fill((await screen).getByLabelText('Notes'), 'Right wall')
  await userEvent.click((await screen).getByRole('button', { name: 'Save' }))
  await expect.element((await screen).getByLabelText('Name')).toHaveValue('Rack B1')
  await expect.element((await screen).getByLabelText('Notes')).toHaveValue('Right wall')
  await userEvent.click((await screen).getByRole('button', { name: 'Save again' }))
  await expect.poll(() => onClose.mock.calls.length).toBe(1)
  expect(save).toHaveBeenLastCalledWith({ body: { notes: 'Right wall' }, revision: 2 })
})

it('EditDialog asks before it discards typed text', async () => {
  const { screen, onClose } = show(saveAll)
  const notes = (await screen).getByLabelText('Notes')
  await userEvent.click(notes)
  await userEvent.keyboard(', upper half')
  await userEvent.keyboard('{Escape}')
  await expect.element((await screen).getByRole('button', { name: 'Discard' })).toBeVisible()
  expect(onClose).not.toHaveBeenCalled()
  await userEvent.click((await screen).getByRole('button', { name: 'Discard' }))
  expect(onClose).toHaveBeenCalledOnce()
})
