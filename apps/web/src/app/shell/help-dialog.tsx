import { getQuickStart } from '@pegasus/contracts/labels/quick-start'
import { useMutation } from '@tanstack/react-query'
import { FileDown } from 'lucide-react'
import { useState } from 'react'
import { toastError } from '../../components/toast-error.ts'
import { Button } from '../../components/ui/actions/button.tsx'
import { Kbd } from '../../components/ui/display/kbd.tsx'
import { Field } from '../../components/ui/forms/field.tsx'
import { Select } from '../../components/ui/forms/select.tsx'
import { ICON } from '../../components/ui/icon-props.ts'
import { Dialog } from '../../components/ui/overlays/dialog.tsx'
import { usualPaper } from '../../lib/browser/usual-paper.ts'
import { saveFile } from '../../lib/browser/save-file.ts'
import { callForBytes } from '../../lib/http/api.ts'
import type { TabId } from '../tabs.ts'
import { HELP } from './help-texts.ts'
import { useVisibleTabs } from './use-visible-tabs.ts'
import { t } from '@/lib/i18n/messages.ts'

const COMMAND = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl'

interface Shortcut {
  /**
   * The keys of the shortcut. Alternative keys are separate entries; keys that are pressed together are one
   * entry.
   */
  keys: readonly string[]
  does: string
}

const GROUPS: readonly { title: string; shortcuts: readonly Shortcut[] }[] = [
  {
    title: t('Everywhere'),
    shortcuts: [
      { keys: [`${COMMAND} K`], does: t('Search everything, or run a command') },
      { keys: ['/'], does: t('Search this list') },
      { keys: ['?'], does: t('Show this help') },
      { keys: ['Esc'], does: t('Close, or clear the selection') },
    ],
  },
  {
    title: t('In a list'),
    shortcuts: [
      { keys: ['J', '↓'], does: t('Next row') },
      { keys: ['K', '↑'], does: t('Previous row') },
      { keys: ['↵'], does: t('Open the row') },
      { keys: ['X'], does: t('Select the row') },
      { keys: ['Shift X'], does: t('Select all rows up to this one') },
      { keys: ['E'], does: t('Edit the row') },
    ],
  },
  {
    title: t('In the print queue'),
    shortcuts: [{ keys: ['↑', '↓'], does: t('Move the job (with its drag handle focused)') }],
  },
  {
    title: t('On an order'),
    shortcuts: [
      { keys: ['R'], does: t('Reserve what is in stock') },
      { keys: ['P'], does: t('Pick') },
      { keys: ['S'], does: t('Ship') },
      { keys: ['H'], does: t('Hold, or resume') },
      { keys: ['E'], does: t('Edit') },
    ],
  },
]

interface HelpDialogProps {
  /** The tab whose help is shown first; null on a page outside the tabs. */
  tab: TabId | null
  onClose: () => void
}

/** The help of a tab, and the keyboard shortcuts, grouped by where they work. */
export function HelpDialog({ tab, onClose }: HelpDialogProps) {
  const tabs = useVisibleTabs()
  const [shownId, setShownId] = useState<TabId>(tab ?? 'dashboard')
  const shownTopic = HELP[shownId]
  const quickStart = useMutation({ mutationFn: saveQuickStart, onError: toastError })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="md"
      title={t('Help and keyboard shortcuts')}
      footer={
        <Button
          icon={<FileDown {...ICON} />}
          isPending={quickStart.isPending}
          onClick={() => quickStart.mutate()}
        >
          {t('Quick start to print')}
        </Button>
      }
    >
      <Field label={t('Help for')}>
        <Select
          value={shownId}
          onChange={(event) => setShownId(tabs.find(({ id }) => id === event.target.value)?.id ?? shownId)}
        >
          {tabs.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <p className="mt-3 font-medium">{shownTopic.intro}</p>
      <dl className="mt-1 divide-y divide-line">
        {shownTopic.tasks.map(({ task, how }) => (
          <div key={task} className="grid gap-x-4 py-2 sm:grid-cols-[180px_minmax(0,1fr)]">
            <dt className="font-medium">{task}</dt>
            <dd className="text-ink-2">{how}</dd>
          </div>
        ))}
      </dl>
      <h3 className="mt-5 mb-2 text-dialog font-[620] touch:hidden">{t('Keyboard shortcuts')}</h3>
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2 touch:hidden">
        {GROUPS.map(({ title, shortcuts }) => (
          <section key={title}>
            <h4 className="mb-1 font-semibold">{title}</h4>
            <dl className="divide-y divide-line">
              {shortcuts.map(({ keys, does }) => (
                <div key={does} className="flex items-center gap-3 py-1.5">
                  <dt className="order-1 ms-auto flex shrink-0 gap-1">
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
}

/** Saves the quick start as a PDF in the paper size of the region. */
async function saveQuickStart(): Promise<void> {
  const answer = await callForBytes(getQuickStart, { query: { paper: usualPaper() } })
  saveFile(await answer.blob(), 'pegasus-ops-quick-start.pdf')
}
