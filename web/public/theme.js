// Runs before the first paint, and without the app.

// Applies the chosen theme. Without a choice the system's theme shows.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {}
// The app could not be loaded or started. Uses the texts of the server, because the app's texts may be missing.
function showStartError() {
  const content = document.getElementById('failed').content.cloneNode(true)
  const field = document.getElementById('early-text')
  content.querySelector('button').onclick = () => location.reload()
  // So that the user can copy the text: a reload loses it.
  if (field?.value) content.querySelector('.page').append(field.parentElement)
  document.getElementById('root').replaceChildren(content)
}
addEventListener('starterror', showStartError)
addEventListener('error', ({ target }) => target.type === 'module' && showStartError(), true)
// Input in the form of the server before the app has started. The app takes it over: see draft-store.ts.
addEventListener('keydown', ({ key, ctrlKey, metaKey, target }) => {
  if (key === 'Enter' && (ctrlKey || metaKey) && target.form?.id === 'early') target.form.requestSubmit()
})
addEventListener('submit', (event) => {
  const form = event.target
  if (form.id !== 'early') return
  event.preventDefault()
  const [field, button] = form
  // As in the app: text that is typed later would not be in the link.
  field.readOnly = true
  button.ariaDisabled = 'true'
  button.lastChild.data = button.dataset.busy
})
for (const type of ['dragover', 'drop', 'paste']) {
  addEventListener(type, (event) => {
    const form = document.getElementById('early')
    const { types = [], files, items } = event.dataTransfer ?? event.clipboardData ?? {}
    if (!form || !types.includes('Files') || (type === 'paste' && types.includes('text/plain'))) return
    // Else the browser would navigate to the file.
    event.preventDefault()
    if (type === 'dragover') return
    const entries = type === 'drop' ? [...items].flatMap((item) => item.webkitGetAsEntry() ?? []) : []
    form.added ??= []
    form.added.push({ files: [...files], entries })
  })
}
