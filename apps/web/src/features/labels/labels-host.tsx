import type { LabelSubject } from '@pegasus/contracts/labels/labels'
import { lazy, Suspense, useEffect, useState } from 'react'
import { connectLabelDialog } from '@/lib/print-labels.ts'

const LabelsDialog = lazy(async () => ({ default: (await import('./labels-dialog.tsx')).LabelsDialog }))

/** Renders the dialog that `printLabels` opens. Mounted only once, in the app's shell. */
export function LabelsHost() {
  const [subjects, setSubjects] = useState<readonly LabelSubject[] | null>(null)
  useEffect(() => connectLabelDialog(setSubjects), [])
  if (!subjects) return null
  return (
    <Suspense fallback={null}>
      <LabelsDialog subjects={subjects} onClose={() => setSubjects(null)} />
    </Suspense>
  )
}
