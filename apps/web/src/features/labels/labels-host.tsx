import type { LabelSubject } from '@pegasus/contracts/labels/labels'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { connectLabelDialog } from '@/lib/print-labels.ts'

const LabelsDialog = lazy(async () => ({ default: (await import('./labels-dialog.tsx')).LabelsDialog }))

/**
 * Renders the dialog that `printLabels` opens. Mounted only once, in the app's shell. The dialog closes when another
 * page is opened, for example with the browser's Back button.
 */
export function LabelsHost() {
  const [subjects, setSubjects] = useState<readonly LabelSubject[] | null>(null)
  const { key } = useLocation()
  const navigationType = useNavigationType()
  const [lastKey, setLastKey] = useState(key)
  useEffect(() => connectLabelDialog(setSubjects), [])
  if (key !== lastKey) {
    setLastKey(key)
    // A page replaces its address when a filter changes. That is not another page.
    if (navigationType !== 'REPLACE') setSubjects(null)
  }
  if (!subjects) return null
  return (
    <Suspense fallback={null}>
      <LabelsDialog subjects={subjects} onClose={() => setSubjects(null)} />
    </Suspense>
  )
}
