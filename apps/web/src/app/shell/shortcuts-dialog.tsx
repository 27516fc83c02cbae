import { Kbd } from '../../components/ui/display/kbd.tsx'
import { Dialog } from '../../components/ui/overlays/dialog.tsx'

const COMMAND = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl'

interface Shortcut {
  /** The keys of the shortcut. Alternatives are separate entries, and keys that are held together are one entry. */
  keys: readonly string[]
  does: string
}

const GROUPS: readonly { title: string; shortcuts: readonly Shortcut[] }[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      { keys: [`${COMMAND} K`], does: 'Search everything, or run a command' },
      { keys: ['/'], does: 'Search this list' },
      { keys: ['?'], does: 'Show these shortcuts' },
      { keys: ['Esc'], does: 'Close, or clear the selection' },
    ],
  },
  {
    title: 'In a list',
    shortcuts: [
      { keys: ['J', '↓'], does: 'Next row' },
      { keys: ['K', '↑'], does: 'Previous row' },
      { keys: ['↵'], does: 'Open the row' },
      { keys: ['X'], does: 'Select the row' },
      { keys: ['Shift X'], does: 'Select all rows up to this one' },
      { keys: ['E'], does: 'Edit the row' },
    ],
  },
  {
    title: 'In the print queue',
    shortcuts: [{ keys: ['↑', '↓'], does: 'Move the job (with its drag handle focused)' }],
  },
  {
    title: 'On an order',
    shortcuts: [
      { keys: ['R'], does: 'Reserve what is in stock' },
      { keys: ['P'], does: 'Pick' },
      { keys: ['S'], does: 'Ship' },
      { keys: ['H'], does: 'Hold, or resume' },
      { keys: ['E'], does: 'Edit' },
    ],
  },
]

/** Lists the keyboard shortcuts, grouped by where they work. */
export const ShortcutsDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog isOpen onClose={onClose} title="Keyboard shortcuts">
    <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
      {GROUPS.map(({ title, shortcuts }) => (
        <section key={title}>
          <h3 className="mb-1 font-semibold">{title}</h3>
          <dl className="divide-y divide-line">
            {shortcuts.map(({ keys, does }) => (
              <div key={does} className="flex items-center gap-3 py-1.5">
                <dt className="order-1 ml-auto flex shrink-0 gap-1">
                  {keys.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </dt>
                <dd className="text-ink-2">{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  </Dialog>
)
