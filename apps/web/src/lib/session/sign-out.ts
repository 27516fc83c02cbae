import { signOut } from './session.ts'

/** Asks whether to continue although work would be lost. Resolves to the answer. */
type Question = () => Promise<boolean>

const questions = new Set<Question>()

/** Makes `signOutAfterAsking` ask this question first. Returns a function that removes the question. */
export function askBeforeSignOut(question: Question): () => void {
  questions.add(question)
  return () => void questions.delete(question)
}

/** Signs out. If running work would be lost, the person is asked first. */
export async function signOutAfterAsking(): Promise<void> {
  for (const isFine of questions) if (!(await isFine())) return
  await signOut()
}
