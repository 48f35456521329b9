# Homebrew formula, for a tap: Formula/mayfly.rb.
class Mayfly < Formula
  desc "@summary@"
  homepage "@repository@"
  url "@download@/mayfly-@version@.tgz"
  sha256 "@sha256 mayfly-VERSION.tgz@"
  license "@license@"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    generate_completions_from_executable(bin/"mayfly", "completion", shells: [:bash, :zsh, :fish])
  end

  service do
    run [opt_bin/"mayfly", "serve", "--host", "127.0.0.1", "--port", "@port@"]
    working_dir var/"mayfly"
    keep_alive true
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/mayfly --version").strip
  end
end
