import { useState } from 'react'
import { BrowserRouter, useLocation } from 'react-router'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '@/styles/index.css'
import { Providers } from '../../../../gallery/providers.tsx'
import { Button } from '../actions/button.tsx'
import { DropdownMenu, MenuItem } from '../actions/dropdown-menu.tsx'
import { Dialog } from './dialog.tsx'
import { InDock } from './dock.tsx'
import { toast } from './toast-store.ts'

function RenameDialog() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Rename</Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title="Rename the location"
        error="Name is taken."
      >
        <Button>Inside</Button>
      </Dialog>
    </>
  )
}

it('Dialog takes the focus, closes with Escape, and returns the focus', async () => {
  const screen = await render(
    <Providers>
      <RenameDialog />
    </Providers>,
  )
  const opener = screen.getByRole('button', { name: 'Rename' })
  await userEvent.click(opener)
  const dialog = screen.getByRole('dialog', { name: 'Rename the location' })
  await expect.element(dialog).toBeVisible()
  await expect.element(screen.getByText('Name is taken.')).toBeVisible()
  expect(dialog.element().contains(document.activeElement)).toBe(true)
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(opener).toHaveFocus()
})

/** A job whose button disappears a moment after its dialog has closed, when the server has responded. */
function JobPage({ isDone = false }: { isDone?: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <main id="content" tabIndex={-1}>
      {isDone ? <p>Completed</p> : <Button onClick={() => setIsOpen(true)}>Complete</Button>}
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title="Complete the job">
        <Button onClick={() => setIsOpen(false)}>Complete job</Button>
      </Dialog>
    </main>
  )
}

it('if the button that opened a dialog disappears, the page gets the focus', async () => {
  const screen = await render(
    <Providers>
      <JobPage />
    </Providers>,
  )
  const opener = screen.getByRole('button', { name: 'Complete', exact: true })
  await userEvent.click(opener)
  await userEvent.click(screen.getByRole('button', { name: 'Complete job' }))
  await expect.element(opener).toHaveFocus()
  await screen.rerender(
    <Providers>
      <JobPage isDone />
    </Providers>,
  )
  await expect.element(screen.getByText('Completed')).toBeVisible()
  await expect.element(screen.getByRole('main')).toHaveFocus()
})

it('if nothing had the focus when a dialog opened, the page gets it after the dialog has closed', async () => {
  const page = (isOpen: boolean) => (
    <Providers>
      <main id="content" tabIndex={-1}>
        <Dialog isOpen={isOpen} onClose={() => undefined} title="Search">
          <Button>Open the item</Button>
        </Dialog>
      </main>
    </Providers>
  )
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  const screen = await render(page(true))
  await expect.element(screen.getByRole('dialog')).toBeVisible()
  await screen.rerender(page(false))
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(screen.getByRole('main')).toHaveFocus()
})

it('a toast shows a button for its action, and disappears when the button is pressed', async () => {
  const handleUndo = vi.fn<() => void>()
  const screen = await render(<Providers>{null}</Providers>)
  toast({ title: 'Wall hook deleted', action: { label: 'Undo', onSelect: handleUndo } })
  await expect.element(screen.getByRole('button', { name: 'Undo' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(handleUndo).toHaveBeenCalledOnce()
  await expect.element(screen.getByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
})

it('Escape closes the open menu, but not a toast that appeared later', async () => {
  const screen = await render(
    <Providers>
      <DropdownMenu trigger={<Button>Actions</Button>}>
        <MenuItem>Edit</MenuItem>
      </DropdownMenu>
    </Providers>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Actions' }))
  await expect.element(screen.getByRole('menu')).toBeVisible()
  toast({ title: 'Print job started', action: { label: 'Undo', onSelect: () => undefined } })
  // The open menu hides all other content from screen readers.
  await expect.element(screen.getByText('Print job started').first()).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(screen.getByRole('menu')).not.toBeInTheDocument()
  await expect.element(screen.getByRole('button', { name: 'Undo' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(screen.getByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
})

it('DropdownMenu can be used with the keyboard', async () => {
  const handleEdit = vi.fn<() => void>()
  const screen = await render(
    <DropdownMenu trigger={<Button>Actions</Button>}>
      <MenuItem disabled>Move</MenuItem>
      <MenuItem onSelect={handleEdit}>Edit</MenuItem>
    </DropdownMenu>,
  )
  screen.getByRole('button', { name: 'Actions' }).element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(screen.getByRole('menuitem', { name: 'Edit' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(handleEdit).toHaveBeenCalledOnce()
})

it('a pending Button is marked as busy and ignores clicks', async () => {
  const handleClick = vi.fn<() => void>()
  const screen = await render(
    <Button isPending onClick={handleClick}>
      Save
    </Button>,
  )
  const button = screen.getByRole('button', { name: 'Save' })
  await expect.element(button).toBeDisabled()
  await expect.element(button).toHaveAttribute('aria-busy', 'true')
})

it('a message is above the buttons of a dialog, and on a phone between the title and the action bar', async () => {
  // A window that is so low that the buttons of the dialog are at its bottom.
  await page.viewport(1280, 300)
  const boxOf = async (screen: Awaited<ReturnType<typeof render>>, title: string) => {
    toast({ title })
    const message = screen.getByText(title, { exact: true })
    await expect.element(message).toBeVisible()
    return message.element().getBoundingClientRect()
  }
  const screen = await render(
    <Providers>
      <Dialog isOpen onClose={() => undefined} title="Ship the order">
        <div style={{ height: 200 }} />
        <Button>Ship</Button>
      </Dialog>
    </Providers>,
  )
  expect((await boxOf(screen, 'Reserved')).bottom).toBeLessThan(100)
  await screen.unmount()

  await page.viewport(390, 800)
  const bar = await render(
    <Providers>
      <InDock>
        <Button>Pick</Button>
      </InDock>
    </Providers>,
  )
  const button = bar.getByRole('button', { name: 'Pick' })
  await expect.element(button).toBeVisible()
  const box = await boxOf(bar, 'A part is shipped')
  expect(box.top).toBeGreaterThan(400)
  expect(box.bottom).toBeLessThan(button.element().getBoundingClientRect().top)
  await page.viewport(1280, 800)
})

function Address() {
  return <p>Address {useLocation().search}</p>
}

function NoteDialog() {
  const [isOpen, setIsOpen] = useState(false)
  const [text, setText] = useState('')
  return (
    <>
      <Address />
      <Button onClick={() => setIsOpen(true)}>Add a note</Button>
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title="Note" hasChanges={text !== ''}>
        <input aria-label="Text" value={text} onChange={(event) => setText(event.target.value)} />
      </Dialog>
    </>
  )
}

it('the Back button closes a dialog and stays on the page, and asks first if text was typed', async () => {
  const before = location.href
  history.replaceState(null, '', '?page=note')
  const screen = await render(
    <BrowserRouter>
      <NoteDialog />
    </BrowserRouter>,
  )
  const dialog = screen.getByRole('dialog', { name: 'Note' })
  const opener = screen.getByRole('button', { name: 'Add a note' })
  await userEvent.click(opener)
  await expect.element(dialog).toBeVisible()
  history.back()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(screen.getByText('Address ?page=note')).toBeVisible()

  await userEvent.click(opener)
  await userEvent.fill(screen.getByLabelText('Text'), 'Ring twice')
  history.back()
  const question = screen.getByRole('alertdialog', { name: 'Discard what you typed?' })
  await expect.element(question).toBeVisible()
  expect(location.search).toBe('?page=note')
  await userEvent.click(question.getByRole('button', { name: 'Keep editing' }))
  await expect.element(screen.getByLabelText('Text')).toHaveValue('Ring twice')
  history.back()
  await userEvent.click(question.getByRole('button', { name: 'Discard', exact: true }))
  await expect.element(dialog).not.toBeInTheDocument()
  expect(location.search).toBe('?page=note')
  history.replaceState(null, '', before)
})
