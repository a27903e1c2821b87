// Draws docs/pictures/*.svg anew (make pictures).

#include <filesystem>
#include <fstream>
#include <iostream>

#include "limits/picture.h"

int main() {
  for (const std::string& limiter : palena::limits::PicturedLimiters()) {
    const std::filesystem::path path = palena::limits::PicturePath(limiter);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path);
    if (!(file << palena::limits::DrawPicture(limiter) << std::flush)) {
      std::cerr << "pictures: cannot write " << path << std::endl;
      return 1;
    }
    std::cout << path.string() << '\n';
  }
}
