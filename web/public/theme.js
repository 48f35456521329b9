// Applies the chosen theme before the first paint. Without a choice the system's theme shows.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {}
// The app takes over what is typed before it starts, and this wish to send it.
addEventListener('keydown', ({ key, ctrlKey, metaKey, target }) => {
  if (key === 'Enter' && (ctrlKey || metaKey) && target.id === 'early-text') target.dataset.sent = ''
})
