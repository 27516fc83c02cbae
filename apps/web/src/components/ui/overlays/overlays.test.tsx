import { useState } from 'react'
import { BrowserRouter, useLocation } from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '@/styles/index.css'
import { Providers } from '../../../../gallery/providers.tsx'
import { Button } from '../actions/button.tsx'
import { DropdownMenu, MenuItem } from '../actions/dropdown-menu.tsx'
import { Dialog } from './dialog.tsx'
import { InDock } from './dock.tsx'
import { toast } from './toast-store.ts'

const START = location.href
const VIEWPORT = [innerWidth, innerHeight] as const

// Restore the window size and the address even if a test fails, so that the next test is not affected.
afterEach(async () => {
  await page.viewport(...VIEWPORT)
  history.replaceState(null, '', START)
})

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

/** A dialog whose fields arrive later, as if they were loaded from the server. */
function ShipForm({ isLoaded }: { isLoaded: boolean }) {
  return (
    <Providers>
      <Dialog
        isOpen
        onClose={() => undefined}
        title="Ship PO-1"
        onSubmit={() => undefined}
        footer={
          <>
            <Button>Cancel</Button>
            <Button type="submit" variant="primary" disabled={!isLoaded}>
              Ship
            </Button>
          </>
        }
      >
        {isLoaded ? <input aria-label="Pieces" inputMode="numeric" defaultValue="3" /> : <p>Loading</p>}
      </Dialog>
    </Providers>
  )
}

it('a dialog gives the focus to its first field, and not to the close button', async () => {
  const screen = await render(<ShipForm isLoaded />)
  const field = screen.getByLabelText('Pieces')
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('2')
  await expect.element(field).toHaveValue('2')
})

it('a text in the first field of a dialog is not replaced by what is typed or scanned', async () => {
  const screen = await render(
    <Providers>
      <Dialog isOpen onClose={() => undefined} title="Edit PO-1" onSubmit={() => undefined}>
        <input aria-label="Customer" defaultValue="Ada" />
      </Dialog>
    </Providers>,
  )
  const field = screen.getByLabelText('Customer')
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('2')
  await expect.element(field).toHaveValue('Ada2')
})

it('a field that is saved at once does not get the focus when its dialog opens', async () => {
  const screen = await render(
    <Providers>
      <Dialog isOpen onClose={() => undefined} title="Ada">
        <input aria-label="Role" />
      </Dialog>
    </Providers>,
  )
  await expect.element(screen.getByRole('button', { name: 'Close' })).toHaveFocus()
})

it('a field that arrives later gets the focus, unless the person has moved it', async () => {
  const screen = await render(<ShipForm isLoaded={false} />)
  await expect.element(screen.getByRole('button', { name: 'Close' })).toHaveFocus()
  await screen.rerender(<ShipForm isLoaded />)
  await expect.element(screen.getByLabelText('Pieces')).toHaveFocus()
  await screen.unmount()

  const other = await render(<ShipForm isLoaded={false} />)
  await expect.element(other.getByRole('button', { name: 'Close' })).toHaveFocus()
  await userEvent.keyboard('{Tab}')
  await expect.element(other.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await other.rerender(<ShipForm isLoaded />)
  await expect.element(other.getByLabelText('Pieces')).toBeVisible()
  await expect.element(other.getByRole('button', { name: 'Cancel' })).toHaveFocus()
})

it('a dialog without a field gives the focus to its submit button, but not to a button whose action cannot be undone', async () => {
  const dialog = (variant: 'primary' | 'danger') => (
    <Dialog
      isOpen
      onClose={() => undefined}
      title="Queue what is missing"
      onSubmit={() => undefined}
      footer={
        <Button type="submit" variant={variant}>
          Go on
        </Button>
      }
    >
      <p>Two jobs</p>
    </Dialog>
  )
  const screen = await render(<Providers>{dialog('primary')}</Providers>)
  await expect.element(screen.getByRole('button', { name: 'Go on' })).toHaveFocus()
  await screen.unmount()
  const final = await render(<Providers>{dialog('danger')}</Providers>)
  await expect.element(final.getByRole('button', { name: 'Close' })).toHaveFocus()
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

it('a toast appears above the buttons of a dialog, and on a phone between the title of the page and the action bar', async () => {
  // The window is so low that the buttons of the dialog are at its bottom edge.
  await page.viewport(1280, 300)
  const boxOf = async (screen: Awaited<ReturnType<typeof render>>, title: string) => {
    toast({ title })
    const message = screen.getByText(title, { exact: true })
    await expect.element(message).toBeVisible()
    return () => message.element().getBoundingClientRect()
  }
  const screen = await render(
    <Providers>
      <Dialog isOpen onClose={() => undefined} title="Ship the order">
        <div style={{ height: 200 }} />
        <Button>Ship</Button>
      </Dialog>
    </Providers>,
  )
  const reserved = await boxOf(screen, 'Reserved')
  // Wait until the toast has moved into its place.
  await expect.poll(() => reserved().bottom).toBeLessThan(100)
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
  await expect.poll(() => box().bottom < button.element().getBoundingClientRect().top).toBe(true)
  await expect.poll(() => box().top).toBeGreaterThan(400)
})

it('a toast appears above the bar for selected rows, on a large screen too', async () => {
  await page.viewport(1000, 700)
  const screen = await render(
    <Providers>
      <InDock>
        <div style={{ width: 900, height: 90 }}>2 selected</div>
      </InDock>
    </Providers>,
  )
  const bar = screen.getByText('2 selected')
  await expect.element(bar).toBeVisible()
  toast({ title: '2 orders are reserved' })
  const message = screen.getByText('2 orders are reserved', { exact: true })
  await expect.element(message).toBeVisible()
  const bottom = () => message.element().getBoundingClientRect().bottom
  await expect.poll(() => bottom() < bar.element().getBoundingClientRect().top).toBe(true)
  expect(bottom()).toBeGreaterThan(500)
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
  await expect.poll(() => location.search).toBe('?page=note')
  await userEvent.click(question.getByRole('button', { name: 'Keep editing' }))
  await expect.element(screen.getByLabelText('Text')).toHaveValue('Ring twice')
  history.back()
  await userEvent.click(question.getByRole('button', { name: 'Discard', exact: true }))
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.poll(() => location.search).toBe('?page=note')
})
