import { expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ApiError } from '@/lib/http/api-error.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { Providers } from '../../../gallery/providers.tsx'
import { Field } from '../ui/forms/field.tsx'
import { Input } from '../ui/forms/input.tsx'
import { FormDialog } from './form-dialog.tsx'

type Create = (body: { name: string }, headers: { 'Idempotency-Key': string }) => Promise<void>

function AddLocation({ create, onClose }: { create: Create; onClose: () => void }) {
  const state = useNewForm<'name', { name: string }>({
    start: { name: '' },
    read: (form) =>
      form.name === ''
        ? { body: null, errors: { name: 'A name is required.' } }
        : { body: form, errors: null },
    create: async (body, headers) => {
      await create(body, headers)
      onClose()
    },
  })
  return (
    <FormDialog state={state} title="Add location" submitLabel="Add location" onClose={onClose}>
      <Field label="Name" error={state.errors.name}>
        <Input value={state.form.name} onChange={(event) => state.change({ name: event.target.value })} />
      </Field>
    </FormDialog>
  )
}

const show = async (create: Create) => {
  const onClose = vi.fn<() => void>()
  const screen = await render(
    <Providers>
      <AddLocation create={create} onClose={onClose} />
    </Providers>,
  )
  const submit = () => userEvent.click(screen.getByRole('button', { name: 'Add location' }))
  return { screen, onClose, submit }
}

it('FormDialog shows an error at its field, and removes the error when the field is edited', async () => {
  const create = vi.fn<Create>()
  const { screen, submit } = await show(create)
  await submit()
  await expect.element(screen.getByLabelText('Name')).toHaveAccessibleDescription('A name is required.')
  expect(create).not.toHaveBeenCalled()
  await userEvent.fill(screen.getByLabelText('Name'), 'Rack A3')
  await expect.element(screen.getByText('A name is required.')).not.toBeInTheDocument()
})

it('FormDialog repeats a failed request with the same idempotency key, and keeps the typed text', async () => {
  const keys: string[] = []
  const { screen, onClose, submit } = await show(async (_body, headers) => {
    keys.push(headers['Idempotency-Key'])
    if (keys.length === 1) throw new ApiError({ status: 503, detail: 'The database is away.', otherwise: '' })
  })
  await userEvent.fill(screen.getByLabelText('Name'), 'Rack A3')
  await submit()
  await expect.element(screen.getByText(/The database is away/)).toBeVisible()
  await expect.element(screen.getByLabelText('Name')).toHaveValue('Rack A3')
  await submit()
  await expect.poll(() => onClose.mock.calls.length).toBe(1)
  expect(keys[1]).toBe(keys[0])
})

it('FormDialog closes without asking if nothing was typed', async () => {
  const { onClose } = await show(vi.fn<Create>())
  await userEvent.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
})
