// Applies the chosen theme before the first paint. Without a choice the system's theme shows.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {}
