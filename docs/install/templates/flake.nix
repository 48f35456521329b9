{
  description = "@summary@";
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { nixpkgs, ... }:
    let
      programs = {
        x86_64-linux = { name = "mayfly-linux-x64"; sha256 = "@sha256 mayfly-linux-x64@"; };
        aarch64-linux = { name = "mayfly-linux-arm64"; sha256 = "@sha256 mayfly-linux-arm64@"; };
      };
      build = system: program:
        let pkgs = nixpkgs.legacyPackages.${system};
        in {
          default = pkgs.stdenv.mkDerivation {
            pname = "mayfly";
            version = "@version@";
            src = pkgs.fetchurl { url = "@download@/${program.name}"; sha256 = program.sha256; };
            dontUnpack = true;
            # It would remove the program's own data.
            dontStrip = true;
            nativeBuildInputs = [ pkgs.autoPatchelfHook ];
            buildInputs = [ pkgs.stdenv.cc.cc.lib ];
            installPhase = "install -D -m 755 $src $out/bin/mayfly";
            meta = { homepage = "@repository@"; license = pkgs.lib.licenses.mit; mainProgram = "mayfly"; };
          };
        };
    in { packages = builtins.mapAttrs build programs; };
}
